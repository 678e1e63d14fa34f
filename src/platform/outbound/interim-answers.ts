import type { Socket } from 'node:net';
import { errors } from 'undici';

/** Takes the interim answers (1xx) out of what a connection reads, before undici sees them. */
export interface InterimFilter {
  /** Watches a new socket of the connection. */
  attach(socket: Socket): void;
  /** A request goes out: what is read next begins with the head of an answer. */
  expectAnswer(): void;
}

// Legal, and without end a way to keep us reading. Beyond these, undici sees the next one, and the exchange ends.
const MAX_INTERIM_ANSWERS = 10;

const STATUS_OFFSET = 'HTTP/1.1 '.length;
// With the three digits of the status nothing more is needed to tell an interim answer.
const DECISIVE_BYTES = STATUS_OFFSET + 3;
const INTERIM_STATUS = /^HTTP\/1\.[01] 1\d\d$/;
const END_OF_HEAD = '\r\n\r\n';
const DIGIT_ONE = 0x31;

/**
 * Makes the filter of one connection, for answers whose head has up to `maxHeadBytes` bytes. RFC 9110 §15.2: a client reads past
 * every 1xx that it did not ask for; undici ends the connection at `100 Continue`, which proxies send to anybody with a body.
 *
 * It stands in `push`, where Node hands a socket what arrived, so it does not depend on how the bytes are read later. `101` is let
 * through: it is no interim answer but the end of HTTP on this connection, and undici refuses it.
 */
export function createInterimFilter(maxHeadBytes: number): InterimFilter {
  let phase: 'deciding' | 'skipping' | 'passing' = 'passing';
  let skipped = 0;
  /** Of a head that is not decided upon: what came of it so far, fewer bytes than it takes to decide. */
  let begun: Buffer = Buffer.alloc(0);
  /** Of a head that is skipped: its bytes, and how much of its end was seen. */
  let headBytes = 0;
  let endSeen = 0;

  /** What is left of a chunk for undici; null = nothing. */
  function filter(arrived: Buffer, socket: Socket): Buffer | null {
    let chunk = arrived;
    for (;;) {
      if (phase === 'deciding') {
        // Nearly every answer: whole in one chunk and final.
        if (
          begun.length === 0 &&
          chunk.length > STATUS_OFFSET &&
          chunk[STATUS_OFFSET] !== DIGIT_ONE
        )
          return pass(chunk);
        if (begun.length > 0) chunk = Buffer.concat([begun, chunk]);
        begun = chunk;
        if (chunk.length < DECISIVE_BYTES) return null;
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

  function pass(chunk: Buffer): Buffer {
    phase = 'passing';
    begun = Buffer.alloc(0);
    return chunk;
  }

  /** What follows the head in `chunk`; null when it does not end there. */
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
        // True: go on reading. Nothing was kept that a reader has to take first.
        return left === null ? true : push(left);
      };
    },
    expectAnswer() {
      phase = 'deciding';
      skipped = 0;
      begun = Buffer.alloc(0);
    },
  };
}
