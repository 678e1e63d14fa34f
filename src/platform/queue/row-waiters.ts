/** Why a waiting caller is woken: to read its row, or to give up because this process cannot learn more for now. */
export type Wakeup = 'look' | 'released' | 'deadline';

export interface RowWaiter {
  /** Resolves when there is reason to read the row, or at `deadline` (ms since epoch) at the latest. */
  next(deadline: number): Promise<Wakeup>;
  /** The words announced with the row's end; null: read the row. */
  readonly notice: () => string | null;
  /** Ends the wait of this caller alone. */
  release(): void;
  close(): void;
}

/** The callers of one process that wait on rows. In memory: a caller dies with its process, but its row does not. */
export interface RowWaiters {
  /** Must be called before the row is written, so that its end is not missed. */
  register(rowId: string): RowWaiter;
  /** This row has ended, with these words; null: the row must be read. An id without waiting callers is ignored. */
  announce(rowId: string, notice?: string | null): void;
  /** Announcements may have been missed: all callers read their rows. */
  announceAll(): void;
  /** All callers stop waiting, because the work cannot start. */
  releaseAll(): void;
  /** The process is stopping: all callers stop waiting, and later ones do not start. */
  close(): void;
  readonly size: number;
}

interface Entry {
  notice: string | null;
  pending: Wakeup | null;
  resolve: ((wakeup: Wakeup) => void) | null;
}

export function createRowWaiters(): RowWaiters {
  const entries = new Map<string, Entry[]>();
  let closed = false;

  const wake = (entry: Entry, wakeup: Wakeup): void => {
    // 'released' is final; a later 'look' must not hide it from a caller that is not listening this instant.
    if (entry.resolve) entry.resolve(wakeup);
    else if (entry.pending !== 'released') entry.pending = wakeup;
  };
  const wakeAll = (wakeup: Wakeup): void => {
    for (const list of entries.values()) for (const entry of list) wake(entry, wakeup);
  };

  return {
    register(rowId) {
      const entry: Entry = { notice: null, pending: closed ? 'released' : null, resolve: null };
      const list = entries.get(rowId) ?? [];
      list.push(entry);
      entries.set(rowId, list);
      return {
        next: (deadline) => nextWakeup(entry, deadline),
        notice: () => entry.notice,
        release: () => wake(entry, 'released'),
        close() {
          const index = list.indexOf(entry);
          if (index !== -1) list.splice(index, 1);
          if (list.length === 0 && entries.get(rowId) === list) entries.delete(rowId);
        },
      };
    },
    announce(rowId, notice = null) {
      for (const entry of entries.get(rowId) ?? []) {
        entry.notice = notice;
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
 * Waits until `read` finds an ended row. Undefined = it had not ended by `deadline`, or waiting was cancelled. The
 * row itself is read after every wake-up, including the deadline: an announcement is only a hint. A failed read
 * counts as nothing found: the row is safe, and its end is announced or found once Postgres is back.
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
