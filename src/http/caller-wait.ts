import type { AtCheckpoint } from '../platform/checkpoint';
import type { Config } from '../platform/config/config';
import type { UserId } from '../platform/ids';
import type { BoundPermits } from '../platform/admission/permits';
import { wakeInBackground, type Waker } from '../platform/queue/waker';
import { type RowWaiters, waitForRow } from '../platform/queue/row-waiters';
import type { WorkflowKind } from '../platform/queue/workflow-kind';
import type { Reachability } from '../platform/temporal/reachability';
import type { RequestIdentity } from './request-identity';

/** What the handler of a request needs to wait for an outcome. */
export interface WaitDeps {
  readonly waker: Waker;
  readonly waiters: RowWaiters;
  readonly waitingPermits: BoundPermits<UserId>;
  readonly temporal: Pick<Reachability, 'isReachable'>;
  readonly atCheckpoint: AtCheckpoint;
  readonly settings: Pick<Config, 'UPLOAD_WAIT'>;
}

/** A caller's wait for the end of a row. `end` must be called in any case: it gives the permit of the wait back. */
export interface CallerWait {
  /** How long the caller waits, ms; 0 = not at all. */
  readonly ms: number;
  /** The row is committed: from here on the request only waits and no longer counts as work. */
  rowWritten(): void;
  /** Wakes a workflow in the background, as the row is safe. If none can start, nobody waits for it. */
  wake<Key>(kind: WorkflowKind<Key>, key: Key, leased: boolean): void;
  /** What `read` finds once the row has ended. Undefined = not ended yet or not awaited; the work continues. */
  until<T>(read: () => Promise<T | undefined>): Promise<T | undefined>;
  /** May be called repeatedly, also if the wait never began. */
  end(): void;
}

/** How to wake and to look at the rows of one request. */
interface RowsOfRequest<Key, Row> {
  readonly kind: WorkflowKind<Key>;
  /** Whose workflows have something to do, and whether these have the lease. */
  readonly toWake: readonly { readonly key: Key; readonly leased: boolean }[];
  readonly read: () => Promise<readonly Row[]>;
  readonly isEnded: (row: Row) => boolean;
}

/** Wakes the workflows, waits for the ends of all rows as long as the caller may, and returns the rows. Ends the wait. */
export async function untilAllEnded<Key, Row>(
  { atCheckpoint }: Pick<WaitDeps, 'atCheckpoint'>,
  wait: CallerWait,
  { kind, toWake, read, isEnded }: RowsOfRequest<Key, Row>,
): Promise<readonly Row[]> {
  try {
    await atCheckpoint('api:before-wake');
    for (const { key, leased } of toWake) wait.wake(kind, key, leased);
    const allEnded = async () => {
      const rows = await read();
      return rows.every(isEnded) ? rows : undefined;
    };
    const ended = toWake.length > 0 ? await wait.until(allEnded) : undefined;
    await atCheckpoint('api:before-answer');
    return ended ?? (await read());
  } finally {
    wait.end();
  }
}

type WaitingRequest = Pick<RequestIdentity, 'caller' | 'onRowWritten' | 'onCallerGone'>;

/**
 * Registers a caller that may wait `UPLOAD_WAIT` for the end of a row. Must be called before the row is written, so
 * that its end is not missed. Nobody waits without Temporal, as no work can start, or without a permit.
 */
export function beginWait(
  { waker, waiters, waitingPermits, temporal, settings: { UPLOAD_WAIT } }: WaitDeps,
  { caller, onRowWritten, onCallerGone }: WaitingRequest,
  rowId: string,
  isWanted: boolean,
): CallerWait {
  const mayWait = isWanted && temporal.isReachable() && UPLOAD_WAIT > 0;
  const release = mayWait ? waitingPermits.take(caller.userId) : undefined;
  const ms = release ? UPLOAD_WAIT : 0;
  const deadline = Date.now() + ms;
  const waiter = waiters.register(rowId);
  // The permit is for callers who are still there.
  if (ms > 0) onCallerGone?.(() => waiter.release());
  return {
    ms,
    rowWritten: () => onRowWritten?.(),
    wake: (kind, key, leased) =>
      wakeInBackground(waker, { kind, key, leased }, () => waiter.release()),
    until: async (read) => (ms > 0 ? waitForRow(waiter, deadline, read) : undefined),
    end() {
      waiter.close();
      release?.();
    },
  };
}
