import { parentPort, type Transferable } from 'node:worker_threads';
import type { ThreadMessage } from './thread-outcome';

/** A value for the other side; the buffers in `transfer` are moved instead of copied. */
export interface Handed<Value> {
  readonly value: Value;
  readonly transfer: readonly Transferable[];
}

/** Turns the calling file into the code of a thread: `task` handles each input, one at a time. */
export function serveThread(task: (input: never) => Handed<unknown>): void {
  const port = parentPort;
  if (!port) throw new Error('This file is the code of a thread.');
  const send = (message: ThreadMessage<unknown>, transfer: readonly Transferable[] = []) =>
    port.postMessage(message, transfer);
  port.on('message', (input) => {
    try {
      // The pool's types guarantee the input, and nothing else can reach this port.
      const { value, transfer } = task(input as never);
      send({ kind: 'done', value }, transfer);
    } catch (error) {
      send({ kind: 'failed', error });
    }
  });
  send({ kind: 'ready' });
}

/** The memory of `bytes` if it is not shared: small buffers share theirs with others. */
export function ownMemory(bytes: Uint8Array): readonly ArrayBuffer[] {
  const { buffer } = bytes;
  return buffer instanceof ArrayBuffer && buffer.byteLength === bytes.byteLength ? [buffer] : [];
}
