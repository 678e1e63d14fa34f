import type { Socket } from 'node:net';
import postgres from 'postgres';
import { ConnectionLostError } from './connection-errors';
import { dial } from './dial';
import { isLibraryQuery, type LibraryQuery } from './library-query';

/**
 * One connection, for one life: it dials at its first statement, and once it is lost it is lost. The library's own
 * pool brings lost ones back, and that is where it (3.4.9) breaks: bytes written in the tick in which a socket closes
 * are kept and sent in front of the next handshake, a `rollback` on a lost connection writes to a socket that is no
 * more and ends the process, a transaction goes on outside of itself on a connection that came back.
 */
export interface Connection {
  /** For statements that nobody guards. */
  readonly library: postgres.Sql;
  /** Makes this pending query, which may come from another instance of the library, one of this connection. */
  adopt(query: LibraryQuery): void;
  /** Asks the server, over a second connection, to stop what runs. Only what is on the wire can be cancelled. */
  cancel(query: LibraryQuery): void;
  /** The statement whose answer is waited for: since when, by which server process, how much had come from it. */
  waiting(): Waiting | null;
  /** Nothing is waited for any more. */
  readonly settle: () => void;
  isLost(): boolean;
  /** Calls back once when it is lost, unless the function that it returns was called before. */
  readonly onLost: (listener: () => void) => () => void;
  /** Cuts it: what runs is rejected. */
  readonly destroy: () => void;
  /** Says goodbye to the server first; for a connection on which nothing runs. Never rejects. */
  end(): Promise<void>;
}

export interface Waiting {
  readonly since: number;
  readonly pid: number;
  readonly bytesRead: number;
}

/** From the socket's connection until the first answer: TLS, authentication. */
const HANDSHAKE_TIMEOUT_S = 4;

const OVERRIDES = {
  max: 1,
  // Their promises have no owner in the library.
  fetch_types: false,
  target_session_attrs: undefined,
  connect_timeout: HANDSHAKE_TIMEOUT_S,
  // The pool decides when a connection has lived long enough.
  idle_timeout: 0,
  max_lifetime: null,
  onnotice: () => {},
};

/** Nothing is dialled yet. */
export function openConnection(databaseUrl: string, options: postgres.Options<{}>): Connection {
  const giveUp = new AbortController();
  let socket: Socket | undefined;
  let mayDial = true;
  let isLost = false;
  let current: { readonly query: LibraryQuery; readonly since: number } | undefined;
  const listeners = new Set<() => void>();
  const lose = () => {
    isLost = true;
    for (const listener of listeners) listener();
    listeners.clear();
  };

  /** The library calls it once to connect; any other time it wants to come back, or to cancel. */
  async function openSocket(): Promise<Socket> {
    if (!mayDial) {
      lose(); // in the middle of its handshake the library loses a connection without telling
      throw new ConnectionLostError();
    }
    mayDial = false;
    try {
      const opened = await dial(address, giveUp.signal);
      socket ??= opened;
      return opened;
    } catch (error) {
      if (!socket) lose();
      throw error;
    }
  }

  const settings = { ...options, ...OVERRIDES, socket: openSocket, onclose: lose };
  const library = postgres(databaseUrl, settings);
  const { host, port, path } = library.options;
  const address = { hosts: [...host], ports: [...port], path: path || undefined };
  // With several hosts the library keeps errors to itself until it has tried them all; `dial` does that here.
  host.splice(1);
  const model = library`select 1`;
  if (!isLibraryQuery(model)) throw new Error('the library is not the one that was pinned');
  const { handler, canceller } = model;

  const destroy = () => {
    lose();
    giveUp.abort();
    socket?.destroy();
  };
  return {
    library,
    adopt(query) {
      query.handler = handler;
      query.canceller = canceller;
      current = { query, since: performance.now() };
    },
    waiting() {
      const pid = current?.query.state?.pid;
      if (!current || typeof pid !== 'number') return null;
      return { since: current.since, pid, bytesRead: socket?.bytesRead ?? 0 };
    },
    settle() {
      current = undefined;
    },
    cancel(query) {
      if (!query.active || isLost) return;
      mayDial = true;
      // Not by `query.cancel()`: when the cancel request finds no server, nobody could catch its rejection.
      query.canceller?.(query).catch(() => {});
      mayDial = false;
    },
    isLost: () => isLost,
    onLost(listener) {
      if (isLost) listener();
      else listeners.add(listener);
      return () => listeners.delete(listener);
    },
    destroy,
    async end() {
      isLost = true;
      await library.end({ timeout: 1 });
      destroy();
    },
  };
}
