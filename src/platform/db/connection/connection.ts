import type { Socket } from 'node:net';
import postgres from 'postgres';
import { createBag } from '../../short-lived';
import { ConnectionLostError } from './connection-errors';
import { dial } from './dial';
import { asLibraryQuery, type LibraryQuery } from './library-query';

/**
 * One connection with one life: it connects at its first statement, and is never revived once lost. The library's own
 * pool revives lost ones, and that is where it (3.4.9) breaks: bytes written in the tick in which a socket closes are
 * sent before the next handshake; a `rollback` on a lost connection writes to a missing socket and ends the process;
 * a transaction continues outside of itself on the revived connection.
 */
export interface Connection {
  /** For statements that are not guarded. */
  readonly library: postgres.Sql;
  /** Moves this pending query, which may come from another instance of the library, to this connection. */
  adopt(query: LibraryQuery): void;
  /**
   * Asks the server, over a second connection, to stop the running statement. Only a statement that was sent can be
   * cancelled.
   */
  cancel(query: LibraryQuery): void;
  /** The unanswered statement: when it was sent, to which server process, and how much had been received by then. */
  waiting(): Waiting | null;
  /** No statement is unanswered any more. */
  readonly settle: () => void;
  isLost(): boolean;
  /** Calls the listener once when the connection is lost, unless the returned function was called before. */
  readonly onLost: (listener: () => void) => () => void;
  /** Cuts the connection; running statements reject. */
  readonly destroy: () => void;
  /** Closes the connection properly, for one on which nothing runs. Never rejects. */
  end(): Promise<void>;
}

export interface Waiting {
  readonly since: number;
  readonly pid: number;
  readonly bytesRead: number;
}

/** From the connected socket to the first answer: TLS and authentication. */
const HANDSHAKE_TIMEOUT_S = 4;

const OVERRIDES = {
  max: 1,
  // The library does not handle failures of these queries.
  fetch_types: false,
  target_session_attrs: undefined,
  connect_timeout: HANDSHAKE_TIMEOUT_S,
  // The pool decides when a connection has lived long enough.
  idle_timeout: 0,
  max_lifetime: null,
  onnotice: () => {},
};

/** Connects only when first used. */
export function openConnection(databaseUrl: string, options: postgres.Options<{}>): Connection {
  const giveUp = new AbortController();
  let socket: Socket | undefined;
  let mayDial = true;
  let isLost = false;
  let current: { readonly query: LibraryQuery; readonly since: number } | undefined;
  const listeners = createBag<() => void>();
  const lose = () => {
    isLost = true;
    for (const listener of listeners) {
      listeners.delete(listener);
      listener();
    }
  };

  /** The library calls it once to connect; every other call would be to reconnect or to cancel. */
  async function openSocket(): Promise<Socket> {
    if (!mayDial) {
      lose(); // During its handshake, the library does not report a lost connection.
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
  // With several hosts the library hides errors until it has tried them all; `dial` does that here.
  host.splice(1);
  const { handler, canceller } = asLibraryQuery(library`select 1`);

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
      // Not `query.cancel()`: when its cancel request finds no server, its rejection cannot be caught.
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
