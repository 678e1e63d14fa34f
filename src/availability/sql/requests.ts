import type { WantedItem } from '../availability';
import { planWantedItems } from '../plan-items';
import { type ChangeRequestId, newId, type UserId } from '../../platform/ids';
import { insertItemChange, insertStoreChange, lockQueue, type NewStoreChange } from './changes';
import { findKnownItems, markItems, unmarkItems, writePause } from './marks';
import type { Sql, Transaction } from '../../platform/db/client';
import { type HeldKey, bindHeldKey } from '../../http/sql/idempotency';
import type { PublicationKey, ToWake } from '../../uploads/sql/publications';
import type { NamedTarget } from '../../uploads/named-targets';
import { NO_INTEGRATION } from '../../uploads/usable-integration';
import type { StoredDay } from '../special-days';
import { insertRefusedItems, insertRefusedOfStore, type RefusedTarget } from './refused-changes';
import { keepWantedDays, writeSpecialDays } from './special-days';

export interface ChangeRequest {
  readonly changeRequestId: ChangeRequestId;
  readonly storeId: number;
  readonly userId: UserId;
  readonly requestId: string;
  readonly targets: readonly NamedTarget[];
  /** How long the caller waits, ms; 0 = not at all. */
  readonly waitMs: number;
  readonly heldKey: HeldKey | null;
}

/**
 * Writes the changes of a request, one per target, together with their marks. An item that is off sale in a committed
 * row is off sale in every later push. Undefined if another request took the idempotency key meanwhile; then nothing
 * is written.
 */
export function insertItemRequest(
  sql: Sql,
  request: ChangeRequest,
  wanted: readonly WantedItem[],
): Promise<ToWake[] | undefined> {
  const ids = wanted.map((item) => item.externalId);
  return inLockedQueues(sql, request, {
    async write(tx, key, change) {
      const plan = planWantedItems(wanted, await findKnownItems(tx, key, ids));
      if (plan.refusal !== null) return { refusal: plan.refusal };
      const cause = { source: 'api', changeId: change.changeId, tells: true } as const;
      await markItems(tx, key, cause, plan.marked);
      await unmarkItems(tx, key, plan.unmarked, change.changeId);
      await insertItemChange(tx, { ...change, items: plan.items });
      // Items that are not in the live menu are stored too, and the workflow acts when their time is over.
      return { isWork: plan.marked.length + plan.unmarked.length > 0 };
    },
    refuse: (tx, targets) => insertRefusedItems(tx, request, targets, wanted),
  });
}

export interface WantedPause {
  readonly paused: boolean;
  readonly until: Date | null;
  readonly reason: string | null;
}

/** The same for pausing or resuming a store in some integrations. */
export function insertPauseRequest(
  sql: Sql,
  request: ChangeRequest,
  wanted: WantedPause,
): Promise<ToWake[] | undefined> {
  return inLockedQueues(sql, request, {
    async write(tx, key, change) {
      await writePause(tx, key, { ...wanted, changeId: change.changeId });
      await insertStoreChange(tx, { ...change, ...wanted, kind: 'pause' });
      return { isWork: true };
    },
    refuse: (tx, targets) =>
      insertRefusedOfStore(tx, request, targets, { ...wanted, kind: 'pause' }),
  });
}

/**
 * The same for the special days of a store, which are kept as those that are wanted even if they go nowhere. Throws the
 * 409 of a store without a time zone.
 */
export function insertSpecialDaysRequest(
  sql: Sql,
  request: ChangeRequest,
  days: readonly StoredDay[],
): Promise<ToWake[] | undefined> {
  return inLockedQueues(sql, request, {
    begin: (tx) => keepWantedDays(tx, request.storeId, days),
    async write(tx, key, change) {
      await writeSpecialDays(tx, key, { days, changeId: change.changeId });
      await insertStoreChange(tx, { ...change, kind: 'special_days' });
      return { isWork: true };
    },
    refuse: (tx, targets) => insertRefusedOfStore(tx, request, targets, { kind: 'special_days' }),
  });
}

interface TargetWriter {
  /** Before all targets. */
  readonly begin?: (tx: Transaction) => Promise<void>;
  /** Writes the change of one target, or says why nothing can be sent there. */
  readonly write: (
    tx: Transaction,
    key: PublicationKey,
    change: Omit<NewStoreChange, 'kind' | keyof WantedPause>,
  ) => Promise<{ readonly isWork: boolean } | { readonly refusal: string }>;
  /** Writes the changes of all targets to which nothing is sent. */
  readonly refuse: (tx: Transaction, targets: readonly RefusedTarget[]) => Promise<void>;
}

/**
 * Runs `write` for each target with its queue locked; always in the same order, so that two requests cannot deadlock.
 */
function inLockedQueues(
  sql: Sql,
  request: ChangeRequest,
  { begin, write, refuse }: TargetWriter,
): Promise<ToWake[] | undefined> {
  const { changeRequestId, storeId, userId, requestId, waitMs, heldKey } = request;
  return sql.begin(async (tx) => {
    const [held] = await bindHeldKey(tx, heldKey, changeRequestId);
    if (!held) return undefined;
    await begin?.(tx);
    const queues: ToWake[] = [];
    const refused: RefusedTarget[] = [];
    const inOrder = request.targets.toSorted(
      (one, other) => (one.integrationId ?? 0) - (other.integrationId ?? 0),
    );
    for (const target of inOrder) {
      const { integrationId, named, refusal } = target;
      if (refusal !== null || integrationId === null) {
        refused.push({ ...target, refusal: refusal ?? NO_INTEGRATION });
        continue;
      }
      const key = { storeId, integrationId };
      const leased = await lockQueue(tx, key);
      const written = await write(tx, key, {
        changeId: newId('avc'),
        changeRequestId,
        ...key,
        namedIntegration: named,
        cause: 'api',
        userId,
        requestId,
        waitMs,
      });
      if ('refusal' in written) refused.push({ ...target, refusal: written.refusal });
      else if (written.isWork) queues.push({ key, leased });
    }
    await refuse(tx, refused);
    return queues;
  });
}
