import type { Connection } from './connection';

/** Gets a connection for its own use, to be returned with `release`. */
type Borrower = (connection: Connection) => void;

/** The connections to one origin. */
export interface OriginPool {
  /** Calls `borrower` at once, or when a connection is free; first come, first served. */
  acquire(borrower: Borrower): void;
  /** Takes back a request for a connection that was not served yet. */
  withdraw(borrower: Borrower): void;
  release(connection: Connection, reusable: boolean): void;
  /** Closes unused connections now and the others when they are released. */
  close(): void;
  size(): number;
}

export interface OriginPoolOptions {
  readonly open: (onDisconnect: (connection: Connection) => void) => Connection;
  /** The most simultaneous connections. */
  readonly limit: number;
  /** Called when the last connection is gone and no request waits, so the pool can be dropped. */
  readonly onEmpty: () => void;
}

/**
 * Makes the pool of one origin. undici's own pool is unsuitable: the caller must know its socket (has the last byte
 * been written?) and must be able to end a connection attempt at its deadline, while undici leaves a queued request
 * waiting.
 */
export function createOriginPool({ open, limit, onEmpty }: OriginPoolOptions): OriginPool {
  // Last in, first out: the connections that a burst needed become idle together and are closed.
  const idle: Connection[] = [];
  const busy = new Set<Connection>();
  let waiting = new Set<Borrower>();
  let closed = false;

  function lend(connection: Connection, borrower: Borrower): void {
    busy.add(connection);
    borrower(connection);
  }

  function takeFree(): Connection | undefined {
    for (let kept = idle.pop(); kept !== undefined; kept = idle.pop()) {
      if (!kept.isOld()) return kept;
      kept.destroy();
    }
    return busy.size < limit ? open(onDisconnect) : undefined;
  }

  function serve(): void {
    for (const borrower of waiting) {
      const connection = takeFree();
      if (connection === undefined) return;
      waiting.delete(borrower);
      lend(connection, borrower);
    }
    // See `short-lived.ts`.
    waiting = new Set();
  }

  function forgetIfEmpty(): void {
    if (idle.length + busy.size + waiting.size === 0) onEmpty();
  }

  function onDisconnect(connection: Connection): void {
    const index = idle.indexOf(connection);
    // A borrowed connection is its borrower's responsibility: its request fails, or undici reconnects for one that
    // has not started.
    if (index === -1) return;
    idle.splice(index, 1);
    connection.destroy();
    forgetIfEmpty();
  }

  return {
    acquire(borrower) {
      const connection = waiting.size === 0 ? takeFree() : undefined;
      if (connection) lend(connection, borrower);
      else waiting.add(borrower);
    },
    withdraw(borrower) {
      waiting.delete(borrower);
      forgetIfEmpty();
    },
    release(connection, reusable) {
      busy.delete(connection);
      if (reusable && !closed && !connection.isOld()) idle.push(connection);
      else connection.destroy();
      // Deferred: this may run inside undici's parser, which has not finished with the connection's last answer.
      if (waiting.size > 0) queueMicrotask(serve);
      forgetIfEmpty();
    },
    close() {
      closed = true;
      for (const connection of idle.splice(0)) connection.destroy();
      forgetIfEmpty();
    },
    size: () => idle.length + busy.size,
  };
}
