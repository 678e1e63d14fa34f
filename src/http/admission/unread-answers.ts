import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** What a connection had taken in all its time, in bytes, and when. */
interface Taken {
  readonly bytes: number;
  readonly at: number;
}

/** How slowly a client may read. */
export interface ReadingPatience {
  /** An answer of which less is taken, */
  readonly leastBytes: number;
  /** in this time is ended. */
  readonly unreadMs: number;
}

/**
 * Makes a look at the answers in progress that ends those that are not read: a client that takes nothing, or next to
 * nothing, would hold the memory of its answer for as long as it likes. Not the timeout of a socket, because whatever
 * the client sends would put that off.
 */
export function createUnreadWatch({ leastBytes, unreadMs }: ReadingPatience) {
  const taken = new WeakMap<ServerResponse, Taken>();
  return function endUnread(answering: Iterable<ServerResponse>): void {
    const at = performance.now();
    for (const response of answering) {
      const { socket } = response;
      if (!socket || response.writableLength === 0) {
        taken.delete(response);
        continue;
      }
      const bytes = takenBy(socket);
      const before = taken.get(response);
      if (!before || bytes - before.bytes >= leastBytes) taken.set(response, { bytes, at });
      else if (at - before.at >= unreadMs) response.destroy();
    }
  };
}

/** What the system has taken from the connection, for which it needs a client that reads. */
function takenBy(socket: Socket): number {
  // Of a write of megabytes only this tells how far it is; Node's own timeouts of sockets use it too.
  const { _handle: handle } = socket as {
    readonly _handle?: { readonly bytesWritten?: number; readonly writeQueueSize?: number } | null;
  };
  const { bytesWritten, writeQueueSize } = handle ?? {};
  if (bytesWritten === undefined || writeQueueSize === undefined) {
    return socket.bytesWritten - socket.writableLength;
  }
  return bytesWritten - writeQueueSize;
}
