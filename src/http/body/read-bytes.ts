import type { IncomingMessage } from 'node:http';
import { createGunzip } from 'node:zlib';
import { AppError } from '../../platform/errors';
import { freeIfLarge } from '../../platform/threads/free-memory';
import { serviceBusy } from '../../platform/admission/service-busy';
import { lengthOf } from './body-head';
import { SMALL_BODY } from './request-body';
import type { ArrivalWatch } from '../admission/least-speed';
import type { Held } from '../../platform/admission/shares';

/** How a body is read: at most `maxBytes`, and never more than it gets memory for. */
export interface BodyLimits {
  readonly maxBytes: number;
  /** Grows with what arrives, not with what is declared: declaring costs a client nothing. */
  readonly reservation: Held;
  /** Whether such memory is scarce and the sender holds much of it: then the body must not arrive too slowly. */
  readonly isPressed: () => boolean;
  readonly arrivals: ArrivalWatch;
}

/**
 * What a body takes when its first bytes have arrived; it is doubled until they fit, up to the declared length. Small,
 * so that a thousand clients with a byte each do not take all the memory of unknown senders.
 */
const FIRST_BYTES = 512;

/** Size of the inflated pieces: smaller ones cost more time, larger ones exceed the budget by more. */
const INFLATE_CHUNK = 256 * 1024;

/** The 413 of a body that has more bytes than its route takes. */
export function bodyTooLarge(): AppError {
  return new AppError('body_too_large', 'The request body is too large.');
}

/** The 408 of a body that holds scarce memory and arrives too slowly. Its connection is closed. */
function bodyTooSlow(): AppError {
  const headers = { Connection: 'close' };
  return new AppError('body_too_slow', 'The request body arrived too slowly.', { headers });
}

/**
 * The bytes of a request's body, whose declared length is not over `maxBytes`. Throws a 413 as soon as there are more,
 * a 503 as soon as there is no memory for more, and a 408 if it arrives too slowly; the server discards the rest.
 */
export async function readBytes(
  request: IncomingMessage,
  { maxBytes, reservation, isPressed, arrivals }: BodyLimits,
): Promise<Buffer> {
  const collected = collect(lengthOf(request.headers) || maxBytes, reservation);
  return new Promise((resolve, reject) => {
    const refuse = (error: AppError) => {
      unwatch();
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
      unwatch();
      resolve(collected.bytes());
    };
    // The client does not read the answer, but the log line should not report a defect.
    const cutOff = () => {
      unwatch();
      reject(new AppError('malformed_body', 'The request body was cut off.'));
    };
    const unwatch = arrivals.watch({
      bytes: collected.length,
      isPressed,
      onTooSlow: () => refuse(bodyTooSlow()),
    });
    // The client left while its token was looked up: no event will follow, and the memory would stay taken.
    if (request.destroyed) return cutOff();
    request.on('data', onData);
    request.once('error', cutOff);
    request.once('close', cutOff);
    request.once('end', onEnd);
  });
}

/** Does work with a permit of the body's sender. */
export type WithPermit = <T>(work: () => Promise<T>) => Promise<T>;

/**
 * The same for a gzip body; its limits apply before and after decoding. What is large is decoded with a permit: 40
 * bodies of 12 KB that unpack to 10 MB each kept the other requests of the process waiting for a second.
 */
export async function readGzip(
  request: IncomingMessage,
  limits: BodyLimits,
  withPermit: WithPermit,
): Promise<Buffer> {
  const packed = await readBytes(request, limits);
  const inflated = inflate(packed, limits);
  try {
    if (!(await inflated.until(SMALL_BODY))) await withPermit(() => inflated.until(Infinity));
    return inflated.bytes();
  } catch (error) {
    inflated.drop();
    if (error instanceof AppError) throw error;
    throw new AppError('malformed_body', 'The request body is not valid gzip.');
  }
}

function inflate(packed: Buffer, { maxBytes, reservation }: BodyLimits) {
  const inflating = createGunzip({ chunkSize: INFLATE_CHUNK });
  inflating.end(packed);
  const pieces = (inflating as AsyncIterable<Buffer>)[Symbol.asyncIterator]();
  const chunks: Buffer[] = [];
  let length = 0;
  return {
    /** Goes on until there are more than so many bytes; true if that was all. */
    async until(bytes: number): Promise<boolean> {
      while (length <= bytes) {
        const { done, value } = await pieces.next();
        if (done) return true;
        length += value.length;
        if (length > maxBytes) throw bodyTooLarge();
        if (!reservation.resize(Math.max(packed.length, length))) throw serviceBusy();
        chunks.push(value);
      }
      return false;
    },
    bytes(): Buffer {
      reservation.resize(length);
      return Buffer.concat(chunks, length);
    },
    drop(): void {
      inflating.destroy();
      chunks.length = 0;
    },
  };
}

/**
 * Joins pieces in one buffer, which has its final size at once if that is small, and is copied to one of twice its size
 * when it is full. So a byte is copied twice at most, and however small the pieces are, they take no more than it has.
 */
function collect(mostBytes: number, reservation: Held) {
  let buffer: Buffer = Buffer.alloc(0);
  let length = 0;

  /** Makes the buffer large enough for so many bytes; false if there is no memory for it. */
  function grow(needed: number): boolean {
    let doubled = FIRST_BYTES;
    while (doubled < needed) doubled *= 2;
    const size = Math.min(doubled, mostBytes);
    if (!reservation.resize(size)) return false;
    buffer = moved(buffer, length, size);
    return true;
  }

  return {
    length: () => length,
    /** False if there is no memory for it. */
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
