import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

type Answer = (request: IncomingMessage, response: ServerResponse) => void;
type Exchange = Parameters<Answer>;

/**
 * With more requests of a connection than these behind the one that is answered, the connection is not read until
 * answers have left. Few, because each holds 16 KB of head and the first bytes of its body outside of any budget, also
 * of strangers. What a connection has sent in one piece (64 KB) is read whole.
 */
const LONGEST_QUEUE = 8;

/**
 * Answers the requests of each connection one after the other: a client may send the next ones before it has read an
 * answer (pipelining). Node would begin all of them at once, and what they hold until their answers are closed would
 * stay held, because an answer behind another one is never closed when its connection ends. So all requests must come
 * here: behind an answer that is not known here, the next one would begin too early. This is no `PermitQueue`, because
 * a request that is alone begins at once, without a promise, and those that wait are dropped with their connection.
 */
export function inOrder(answer: Answer): Answer {
  const waiting = new WeakMap<Socket, Exchange[]>();
  const paused = new WeakSet<Socket>();

  function begin([request, response]: Exchange): void {
    response.once('close', () => beginNext(request.socket));
    answer(request, response);
  }

  function beginNext(socket: Socket): void {
    const next = waiting.get(socket)?.shift();
    if (paused.has(socket) && !isFull(socket)) socket.resume();
    if (!next) waiting.delete(socket);
    // Those behind the last answer of a connection, or behind one that nobody read, are dropped.
    // Each in a turn of the event loop: a thousand in one piece would keep everybody else waiting.
    else if (socket.writable) setImmediate(() => begin(next));
  }

  const isFull = (socket: Socket) => (waiting.get(socket)?.length ?? 0) > LONGEST_QUEUE;

  function pause(socket: Socket): void {
    if (!paused.has(socket)) {
      paused.add(socket);
      // Node resumes a connection whenever it begins to read a body or has sent an answer.
      socket.on('resume', () => {
        if (isFull(socket)) socket.pause();
      });
    }
    socket.pause();
  }

  return (request, response) => {
    const { socket } = request;
    const queue = waiting.get(socket);
    if (!queue) {
      waiting.set(socket, []);
      return begin([request, response]);
    }
    queue.push([request, response]);
    if (isFull(socket)) pause(socket);
  };
}
