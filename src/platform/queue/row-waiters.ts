/** Why a waiting caller is woken: to look at its row, or to give up because this process cannot know more for now. */
export type Wakeup = 'look' | 'released' | 'deadline';

export interface RowWaiter {
  /** Resolves when there is reason to look at the row, at the latest at `deadline` (ms since epoch). */
  next(deadline: number): Promise<Wakeup>;
  /** What was said of the row's end when it was announced; null: look at the row. */
  readonly told: () => string | null;
  /** Waiting is called off for this caller alone. */
  release(): void;
  close(): void;
}

/** The callers of one process that wait on rows. In memory: a caller dies with its process, its row does not. */
export interface RowWaiters {
  /** Must come before the row is written, or its end could be announced to nobody. */
  register(rowId: string): RowWaiter;
  /** This row is finished, and so; null: how is to be looked at. An id that nobody here waits for is ignored. */
  announce(rowId: string, told?: string | null): void;
  /** Announcements may have been missed: everybody looks. */
  announceAll(): void;
  /** Nobody waits any longer: the work cannot begin. */
  releaseAll(): void;
  /** The process stops: nobody waits any longer, nor does a request that is on its way to waiting. */
  close(): void;
  readonly size: number;
}

interface Entry {
  told: string | null;
  pending: Wakeup | null;
  resolve: ((wakeup: Wakeup) => void) | null;
}

export function createRowWaiters(): RowWaiters {
  const entries = new Map<string, Set<Entry>>();
  let closed = false;

  const wake = (entry: Entry, wakeup: Wakeup): void => {
    // 'released' is final; a later 'look' must not hide it from a caller that is not listening this instant.
    if (entry.resolve) entry.resolve(wakeup);
    else if (entry.pending !== 'released') entry.pending = wakeup;
  };
  const wakeAll = (wakeup: Wakeup): void => {
    for (const set of entries.values()) for (const entry of set) wake(entry, wakeup);
  };

  return {
    register(rowId) {
      const entry: Entry = { told: null, pending: closed ? 'released' : null, resolve: null };
      const set = entries.get(rowId) ?? new Set();
      entries.set(rowId, set.add(entry));
      return {
        next: (deadline) => nextWakeup(entry, deadline),
        told: () => entry.told,
        release: () => wake(entry, 'released'),
        close() {
          set.delete(entry);
          if (set.size === 0) entries.delete(rowId);
        },
      };
    },
    announce(rowId, told = null) {
      for (const entry of entries.get(rowId) ?? []) {
        entry.told = told;
        wake(entry, 'look');
      }
    },
    announceAll: () => wakeAll('look'),
    releaseAll: () => wakeAll('released'),
    close() {
      closed = true;
      wakeAll('released');
    },
    get size() {
      return entries.size;
    },
  };
}

function nextWakeup(entry: Entry, deadline: number): Promise<Wakeup> {
  const { pending } = entry;
  if (pending) {
    entry.pending = null;
    return Promise.resolve(pending);
  }
  const ms = deadline - Date.now();
  if (ms <= 0) return Promise.resolve('deadline');
  return new Promise((resolve) => {
    const timer = setTimeout(() => settle('deadline'), ms);
    const settle = (wakeup: Wakeup): void => {
      clearTimeout(timer);
      entry.resolve = null;
      resolve(wakeup);
    };
    entry.resolve = settle;
  });
}

/**
 * Waits until `read` finds a finished row. Undefined = not finished by `deadline`, or waiting was called off.
 * The row itself is looked at after every wake-up, the deadline's included: an announcement is only a hint.
 * A look that fails finds nothing: the row is safe, and its end is announced or found once Postgres is back.
 */
export async function waitForRow<T>(
  waiter: RowWaiter,
  deadline: number,
  read: () => Promise<T | undefined>,
): Promise<T | undefined> {
  for (;;) {
    const wakeup = await waiter.next(deadline);
    const found = await read().catch(() => undefined);
    if (found !== undefined || wakeup !== 'look') return found;
  }
}
