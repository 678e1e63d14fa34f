import { createPermits, type Release } from './permits';
import type { Fill, ShareLimits } from './shares';

/** How many have a permit, and how many wait for one and how long. */
export interface PermitQueueLimits {
  readonly atOnce: ShareLimits;
  readonly waiting?: ShareLimits;
  /** The longest wait for a permit, ms; 0 = no limit, as if none were given. */
  readonly longestWaitMs?: number;
}

/** What else ends the wait for one permit. */
export interface PermitWait {
  /** Instead of that of all. */
  readonly longestWaitMs?: number;
  /** Once it fires, nobody waits for the permit any more. */
  readonly unwanted?: AbortSignal;
}

/**
 * Permits that may be waited for. One that is given back goes to the key whose turn it is: of those for which somebody
 * waits and which may have one more, the one that came, or was served last, before the others. Who comes stands before
 * the key that was served last: however many of one key wait, another waits for what is at work, and for none that has
 * not begun. Those of one key are served in the order of their arrival.
 */
export interface PermitQueue<Key = void> {
  /**
   * Takes a free permit, or waits for one; the returned function gives it back. Undefined: too many wait, none came in
   * time, or it is unwanted. Rejects with the error of `refuse`, and with no other.
   */
  take(key: Key, wait?: PermitWait): Promise<Release | undefined>;
  /** Those who wait now get none: their `take` rejects with the error, or gives undefined if there is none. */
  refuse(error?: unknown): void;
  readonly atOnce: Fill;
  readonly waiting: Fill;
}

interface Waiting {
  /** Ends the wait, with a permit or without. */
  end(permit?: Release): void;
  fail(error: unknown): void;
}

const NOBODY = Symbol('nobody');

export function createPermitQueue<Key = void>(limits: PermitQueueLimits): PermitQueue<Key> {
  const permits = createPermits<Key>(limits.atOnce);
  /** Who waits has one of these. */
  const waits = createPermits<Key>(limits.waiting ?? {});
  /** Those who wait, by key; the key that was served last is the last one. */
  const queues = new Map<Key, Set<Waiting>>();
  const mostAtOnce = limits.atOnce.ofAll ?? Infinity;
  let servedLast: Key | typeof NOBODY = NOBODY;

  function begin(key: Key): void {
    servedLast = key;
    moveToEnd(key);
  }

  function moveToEnd(key: Key): void {
    const queue = queues.get(key);
    if (!queue) return;
    queues.delete(key);
    queues.set(key, queue);
  }

  /** Gives the permit back, and on to whoever is next. */
  function handOn(release: Release): Release {
    return () => {
      release();
      // One may serve two: the next one of all, and one of a key that has become a small one.
      while (serveOne());
    };
  }

  /** False: nobody waits, or nobody who waits may have one more. */
  function serveOne(): boolean {
    for (const [key, queue] of queues) {
      if (mostAtOnce !== Infinity && permits.used() >= mostAtOnce) return false;
      const release = permits.take(key);
      if (!release) continue;
      begin(key);
      const [next] = queue;
      next?.end(handOn(release));
      return true;
    }
    return false;
  }

  function wait(
    key: Key,
    endWait: Release,
    { longestWaitMs = limits.longestWaitMs ?? 0, unwanted }: PermitWait,
  ): Promise<Release | undefined> {
    return new Promise((resolve, reject) => {
      const queue = queues.get(key) ?? new Set();
      const leaveQueue = () => {
        queue.delete(waiting);
        if (queue.size === 0) queues.delete(key);
        endWait();
        clearTimeout(timer);
        unwanted?.removeEventListener('abort', giveUp);
      };
      const waiting: Waiting = {
        end(permit) {
          leaveQueue();
          resolve(permit);
        },
        fail(error) {
          leaveQueue();
          reject(error);
        },
      };
      const giveUp = () => waiting.end();
      const timer = longestWaitMs > 0 ? setTimeout(giveUp, longestWaitMs) : undefined;
      unwanted?.addEventListener('abort', giveUp);
      const isNew = queue.size === 0;
      queues.set(key, queue.add(waiting));
      if (isNew && servedLast !== NOBODY) moveToEnd(servedLast);
    });
  }

  return {
    atOnce: permits,
    waiting: waits,
    async take(key, how = {}) {
      const release = permits.take(key);
      if (release) {
        begin(key);
        return handOn(release);
      }
      // No event would follow.
      if (how.unwanted?.aborted) return undefined;
      const endWait = waits.take(key);
      return endWait && wait(key, endWait, how);
    },
    refuse(error) {
      for (const queue of queues.values()) {
        for (const waiting of queue) {
          if (error === undefined) waiting.end();
          else waiting.fail(error);
        }
      }
    },
  };
}
