import type { Socket } from 'node:net';
import { errors } from 'undici';

/** Removes interim answers (1xx) from what a connection reads, before undici sees them. */
export interface InterimFilter {
  /** Watches a new socket of the connection. */
  attach(socket: Socket): void;
  /**
   * A request is being sent: the next bytes read are the head of an answer. `onStatus` gets the status as soon as its
   * line was read in full: undici tells of it only when the whole head has come and is without fault.
   */
  expectAnswer(onStatus: (status: number) => void): void;
}

// Interim answers are legal, but could keep us reading forever. undici sees the one after these, and the exchange
// ends.
const MAX_INTERIM_ANSWERS = 10;

const STATUS_OFFSET = 'HTTP/1.1 '.length;
// Up to the three digits of the status, which are enough to recognise an interim answer.
const DECISIVE_BYTES = STATUS_OFFSET + 3;
const INTERIM_STATUS = /^HTTP\/1\.[01] 1\d\d$/;
const FINAL_STATUS = /^HTTP\/1\.[01] ([2-9]\d\d)(?:[ \r\n]|$)/;
const LINE_FEED = 0x0a;
const END_OF_HEAD = '\r\n\r\n';
const DIGIT_ONE = 0x31;

/**
 * Makes the filter of one connection, for answers whose head has up to `maxHeadBytes` bytes. By RFC 9110 §15.2 a
 * client skips every 1xx that it did not ask for, but undici ends the connection at `100 Continue`, which proxies
 * send to any client with a body.
 * It hooks into `push`, where Node hands a socket the arrived bytes, so it does not depend on how they are read
 * later. `101` passes: it is not an interim answer but the end of HTTP on this connection, and undici refuses it.
 */
export function createInterimFilter(maxHeadBytes: number): InterimFilter {
  let phase: 'deciding' | 'skipping' | 'passing' = 'passing';
  let tellStatus: ((status: number) => void) | undefined;
  let skipped = 0;
  /** The first bytes of a head, too few to decide. */
  let begun: Buffer = Buffer.alloc(0);
  /** For a head that is skipped: its length so far, and how much of its end was seen. */
  let headBytes = 0;
  let endSeen = 0;

  /** The part of a chunk that undici must see; null = nothing. */
  function filter(arrived: Buffer, socket: Socket): Buffer | null {
    let chunk = arrived;
    for (;;) {
      if (phase === 'deciding') {
        if (begun.length > 0) chunk = Buffer.concat([begun, chunk]);
        begun = chunk;
        if (chunk.length < DECISIVE_BYTES) return null;
        // The usual case: a final answer.
        if (chunk[STATUS_OFFSET] !== DIGIT_ONE) return passFinal(chunk);
        const head = chunk.toString('latin1', 0, DECISIVE_BYTES);
        if (!INTERIM_STATUS.test(head) || head.endsWith('101') || skipped === MAX_INTERIM_ANSWERS)
          return pass(chunk);
        phase = 'skipping';
        headBytes = endSeen = 0;
      }
      if (phase === 'passing') return chunk;
      const rest = skip(chunk);
      if (headBytes > maxHeadBytes) {
        socket.destroy(new errors.HeadersOverflowError());
        return null;
      }
      if (rest === null) return null;
      chunk = rest;
    }
  }

  /** Held back until the status line has ended, so that nothing behind it is seen before it is. */
  function passFinal(chunk: Buffer): Buffer | null {
    const [line, status] = FINAL_STATUS.exec(chunk.toString('latin1', 0, DECISIVE_BYTES + 1)) ?? [];
    if (line === undefined) return pass(chunk);
    if (chunk.includes(LINE_FEED)) tellStatus?.(Number(status));
    else if (chunk.length <= maxHeadBytes) return null;
    return pass(chunk);
  }

  function pass(chunk: Buffer): Buffer {
    phase = 'passing';
    begun = Buffer.alloc(0);
    return chunk;
  }

  /** The rest of `chunk` after the head; null if the head does not end there. */
  function skip(chunk: Buffer): Buffer | null {
    for (let at = 0; at < chunk.length; at++) {
      headBytes += 1;
      const byte = chunk[at];
      if (byte === END_OF_HEAD.charCodeAt(endSeen)) endSeen += 1;
      else endSeen = byte === END_OF_HEAD.charCodeAt(0) ? 1 : 0;
      if (endSeen < END_OF_HEAD.length) continue;
      skipped += 1;
      phase = 'deciding';
      begun = Buffer.alloc(0);
      const rest = chunk.subarray(at + 1);
      return rest.length > 0 ? rest : null;
    }
    return null;
  }

  return {
    attach(socket) {
      const push = socket.push.bind(socket);
      socket.push = (chunk: unknown, encoding) => {
        if (phase === 'passing' || !Buffer.isBuffer(chunk)) return push(chunk, encoding);
        const left = filter(chunk, socket);
        // True: continue reading. Nothing is buffered that a reader must take first.
        return left === null ? true : push(left);
      };
    },
    expectAnswer(onStatus) {
      phase = 'deciding';
      tellStatus = onStatus;
      skipped = 0;
      begun = Buffer.alloc(0);
    },
  };
}
