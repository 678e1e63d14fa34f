import type { IncomingMessage } from 'node:http';
import { createGunzip } from 'node:zlib';
import { AppError } from '../../platform/errors';
import { freeIfLarge } from '../../platform/threads/free-memory';
import { serviceBusy } from '../../platform/service-busy';
import { lengthOf } from './body-head';
import type { BodyReservation } from './body-budget';

/** How a body is read: at most `maxBytes`, and never more than it has room for. */
export interface BodyRoom {
  readonly maxBytes: number;
  /** Grows with what arrives, not with what is declared: declaring costs a client nothing. */
  readonly reservation: BodyReservation;
}

/**
 * The room of a body when its first bytes have arrived; it is doubled until they fit, up to the declared length. Small,
 * so that a thousand clients with a byte each do not take all the room of unknown senders.
 */
const FIRST_ROOM = 512;

/** Size of the inflated pieces: smaller ones cost more time, larger ones exceed the room by more. */
const INFLATE_CHUNK = 256 * 1024;

/** The 413 of a body that has more bytes than its route takes. */
export function bodyTooLarge(): AppError {
  return new AppError('body_too_large', 'The request body is too large.');
}

/**
 * The bytes of a request's body, whose declared length is not over `maxBytes`. Throws a 413 as soon as there are more,
 * and a 503 as soon as there is no room for more; the server discards the rest.
 */
export async function readBytes(
  request: IncomingMessage,
  { maxBytes, reservation }: BodyRoom,
): Promise<Buffer> {
  const collected = collect(lengthOf(request.headers) || maxBytes, reservation);
  return new Promise((resolve, reject) => {
    const refuse = (error: AppError) => {
      // The rest is discarded, for which seconds may pass: until then the listeners would hold the bytes.
      request.off('data', onData).off('end', onEnd).off('close', cutOff);
      collected.drop();
      reject(error);
    };
    const onData = (chunk: Buffer) => {
      if (collected.length() + chunk.length > maxBytes) return refuse(bodyTooLarge());
      if (!collected.add(chunk)) refuse(serviceBusy());
    };
    const onEnd = () => {
      // The listeners would hold the bytes until the request is answered.
      request.off('data', onData).off('close', cutOff).off('error', cutOff);
      resolve(collected.bytes());
    };
    // The client does not read the answer, but the log line should not report a defect.
    const cutOff = () => reject(new AppError('malformed_body', 'The request body was cut off.'));
    // The client left while its token was looked up: no event will follow, and the room would stay taken.
    if (request.destroyed) return cutOff();
    request.on('data', onData);
    request.once('error', cutOff);
    request.once('close', cutOff);
    request.once('end', onEnd);
  });
}

/** The same for a gzip body; `maxBytes` and the room apply before and after decoding. */
export async function readGzip(request: IncomingMessage, room: BodyRoom): Promise<Buffer> {
  const { maxBytes, reservation } = room;
  const packed = await readBytes(request, room);
  const chunks: Buffer[] = [];
  let length = 0;
  const inflating = createGunzip({ chunkSize: INFLATE_CHUNK });
  inflating.end(packed);
  try {
    for await (const chunk of inflating as AsyncIterable<Buffer>) {
      length += chunk.length;
      if (length > maxBytes) throw bodyTooLarge();
      if (!reservation.resize(Math.max(packed.length, length))) throw serviceBusy();
      chunks.push(chunk);
    }
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw new AppError('malformed_body', 'The request body is not valid gzip.');
  }
  reservation.resize(length);
  return Buffer.concat(chunks, length);
}

/**
 * Joins pieces in one buffer, which has its final size at once if that is small, and is copied to one of twice its size
 * when it is full. So a byte is copied twice at most, and however small the pieces are, they take no more than it has.
 */
function collect(mostBytes: number, reservation: BodyReservation) {
  let buffer: Buffer = Buffer.alloc(0);
  let length = 0;

  /** Makes room for so many bytes; false if there is none. */
  function grow(needed: number): boolean {
    let doubled = FIRST_ROOM;
    while (doubled < needed) doubled *= 2;
    const size = Math.min(doubled, mostBytes);
    if (!reservation.resize(size)) return false;
    buffer = moved(buffer, length, size);
    return true;
  }

  return {
    length: () => length,
    /** False if there is no room for it. */
    add(chunk: Buffer): boolean {
      const size = chunk.length;
      if (length + size > buffer.length && !grow(length + size)) return false;
      chunk.copy(buffer, length);
      length += size;
      freeIfLarge(chunk);
      return true;
    },
    /** Frees the memory of a body that is not wanted any more. */
    drop(): void {
      freeIfLarge(buffer);
      buffer = Buffer.alloc(0);
      length = 0;
    },
    /** All of them, in memory of exactly their size. */
    bytes(): Buffer {
      if (length < buffer.length) buffer = moved(buffer, length, length);
      reservation.resize(length);
      return buffer;
    },
  };
}

/** The first `length` bytes of a buffer, in another one of this size; the memory of the old one is freed. */
function moved(buffer: Buffer, length: number, size: number): Buffer {
  const other = Buffer.allocUnsafe(size);
  buffer.copy(other, 0, 0, length);
  freeIfLarge(buffer);
  return other;
}
