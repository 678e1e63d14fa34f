import { EventEmitter, once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { LONGEST_WAIT_MS } from './until';

/** The data received on a connection, and whether the server has ended it. */
export interface Heard {
  /** The statuses of the answers, interim ones included, in order. */
  readonly statuses: readonly number[];
  readonly text: string;
  readonly closed: boolean;
  readonly ms: number;
}

export interface Line {
  readonly socket: Socket;
  /** Sends bytes as they are; a string is latin1. Errors of a closed connection are left to `heard`. */
  send(bytes: string | Buffer): void;
  /** The data received so far. */
  heard(): Heard;
  /**
   * Waits until there are this many answers or the server has closed; rejects if neither happens within `withinMs`.
   */
  answers(count: number, withinMs?: number): Promise<Heard>;
  /** Waits until the server has closed; rejects when it has not in `withinMs`. */
  closed(withinMs?: number): Promise<Heard>;
  hangUp(): void;
}

/** Opens a connection on which a test says whatever it likes, HTTP or not. */
export async function openLine(url: string): Promise<Line> {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
  const chunks: Buffer[] = [];
  let closed = false;
  const startedAt = performance.now();
  const news = new EventEmitter();
  socket.on('data', (chunk) => {
    chunks.push(chunk);
    news.emit('news');
  });
  // A reset is one form of refusal.
  for (const event of ['end', 'close', 'error']) {
    socket.on(event, () => {
      closed = true;
      news.emit('news');
    });
  }
  await new Promise((resolve) => socket.once('connect', resolve));

  const heard = (): Heard => {
    const text = Buffer.concat(chunks).toString('latin1');
    const statuses = [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));
    return { statuses, text, closed, ms: performance.now() - startedAt };
  };
  const wait = async (done: (now: Heard) => boolean, withinMs: number): Promise<Heard> => {
    for (const signal = AbortSignal.timeout(withinMs); ;) {
      const now = heard();
      if (done(now)) return now;
      await once(news, 'news', { signal }).catch(() => {
        throw new Error(`no end after ${withinMs} ms: ${JSON.stringify(now).slice(0, 1_000)}`);
      });
    }
  };
  return {
    socket,
    send(bytes) {
      if (!socket.destroyed) socket.write(bytes, typeof bytes === 'string' ? 'latin1' : undefined);
    },
    heard,
    answers: (count, withinMs = LONGEST_WAIT_MS) =>
      wait(({ statuses, closed: isClosed }) => statuses.length >= count || isClosed, withinMs),
    closed: (withinMs = LONGEST_WAIT_MS) => wait(({ closed: isClosed }) => isClosed, withinMs),
    hangUp: () => socket.destroy(),
  };
}
