import { MessageChannel } from 'node:worker_threads';
import { ownMemory } from './serve-thread';

/**
 * Frees the memory of these bytes at once, except what they share with others; they are empty afterwards. Otherwise it
 * is freed only when garbage is collected, and V8 collects all of it for a few megabytes of such memory: the answers
 * of five previews, 8 MB, were enough. Nothing may still read or send them.
 */
export function freeMemory(pieces: readonly Uint8Array[]): void {
  const own = pieces.flatMap(ownMemory).filter(({ byteLength }) => byteLength > 0);
  // A closed port takes what is transferred and drops it. Node 20 has no `ArrayBuffer.prototype.transfer`.
  nowhere.postMessage(null, [...new Set(own)]);
}

/** Memory of less waits for a collection, which costs less than freeing it. */
const LARGE_PIECE = 16 * 1024;

/** The same for bytes that are large enough. */
export function freeIfLarge(bytes: Uint8Array): void {
  if (bytes.length >= LARGE_PIECE) freeMemory([bytes]);
}

const { port1: nowhere } = new MessageChannel();
nowhere.close();
