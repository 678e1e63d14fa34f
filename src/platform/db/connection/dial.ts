import { connect as connectTcp, type Socket } from 'node:net';

export interface Address {
  readonly hosts: readonly string[];
  readonly ports: readonly number[];
  /** For a Unix socket, instead of the others. */
  readonly path: string | undefined;
}

/** Enough for a round trip or two with a retransmission; after that, a new try is better. */
const DIAL_TIMEOUT_MS = 3_000;

/** A socket connected to the first host that accepts; rejects with the last host's error. */
export async function dial(address: Address, signal: AbortSignal): Promise<Socket> {
  if (address.path !== undefined) return dialOne({ path: address.path }, signal);
  let failure: unknown = new Error('no host');
  for (const [index, host] of address.hosts.entries()) {
    try {
      const port = address.ports[index] ?? address.ports[0] ?? 5432;
      const socket = await dialOne({ host, port }, signal);
      // The library needs these to verify a certificate.
      return Object.assign(socket, { host, port });
    } catch (error) {
      failure = error;
    }
  }
  throw failure;
}

function dialOne(
  target: { host: string; port: number } | { path: string },
  signal: AbortSignal,
): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connectTcp(target);
    const fail = (error: Error) => {
      socket.destroy();
      reject(error);
    };
    const abort = () => fail(Object.assign(new Error('given up'), { code: 'ECONNABORTED' }));
    const late = () =>
      fail(Object.assign(new Error('the database cannot be reached'), { code: 'ETIMEDOUT' }));
    const timer = setTimeout(late, DIAL_TIMEOUT_MS);
    signal.addEventListener('abort', abort, { once: true });
    // This listener stays, because an error event without a listener would end the process.
    socket.on('error', fail);
    socket.once('connect', () => resolve(socket));
    const done = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', abort);
    };
    socket.once('connect', done);
    socket.once('close', done);
  });
}
