import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** What a connection has taken of its answers, and since when nothing more. */
interface Taken {
  readonly so: string;
  readonly since: number;
}

/**
 * Makes a look at the answers in progress that ends each of which nothing was taken for `patienceMs`: a client that
 * reads nothing would hold the memory of its answer for ever. One that reads slowly may go on. Not the timeout of a
 * socket, because whatever the client sends would put that off.
 */
export function createUnreadWatch(patienceMs: number) {
  const taken = new WeakMap<ServerResponse, Taken>();
  return function endUnread(answering: Iterable<ServerResponse>): void {
    const now = performance.now();
    for (const response of answering) {
      const { socket } = response;
      // An answer without a socket is behind another one of its connection.
      if (!socket || response.writableLength === 0) {
        taken.delete(response);
        continue;
      }
      const so = takenBy(socket);
      const before = taken.get(response);
      if (before?.so !== so) taken.set(response, { so, since: now });
      else if (now - before.since >= patienceMs) response.destroy();
    }
  };
}

/** Changes when the system takes anything from the connection, for which it needs a client that reads. */
function takenBy(socket: Socket): string {
  const whole = socket.bytesWritten - socket.writableLength;
  // Of a write of megabytes only this tells how far it is; Node's own timeouts of sockets use it too.
  const { _handle: handle } = socket as { readonly _handle?: { readonly writeQueueSize?: number } };
  return `${whole} ${handle?.writeQueueSize ?? 0}`;
}
