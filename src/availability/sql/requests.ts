import type { WantedItem } from '../availability';
import { planWantedItems } from '../plan-items';
import { type ChangeId, type ChangeRequestId, newId, type UserId } from '../../platform/ids';
import { insertItemChange, insertPauseChange, lockLine } from './changes';
import { findKnownItems, markItems, unmarkItems, writePause } from './marks';
import type { Sql, Transaction } from '../../platform/db/client';
import { type HeldKey, bindHeldKey } from '../../http/sql/idempotency';
import type { PublicationKey } from '../../uploads/sql/publications';

/** One integration of a request. */
export interface ChangeTarget {
  /** Null: no integration has this name. */
  readonly integrationId: number | null;
  /** The integration as the caller named it. */
  readonly named: string;
  /** Why nothing can be sent there; null = it can. */
  readonly refusal: string | null;
}

export interface ChangeRequest {
  readonly requestRowId: ChangeRequestId;
  readonly storeId: number;
  readonly userId: UserId;
  readonly requestId: string;
  readonly targets: readonly ChangeTarget[];
  /** How long the caller waits, ms; 0 = not at all. */
  readonly waitMs: number;
  readonly heldKey: HeldKey | null;
}

/** A line with something to do. */
export interface ChangedLine {
  readonly key: PublicationKey;
  /** Whether its workflow is alive. */
  readonly alive: boolean;
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
): Promise<ChangedLine[] | undefined> {
  return inLockedLines(sql, request, async (tx, target, change) => {
    const plan =
      target.key &&
      planWantedItems(
        wanted,
        await findKnownItems(
          tx,
          target.key,
          wanted.map((item) => item.externalId),
        ),
      );
    const refusal = target.refusal ?? plan?.refusal ?? null;
    const items =
      plan?.items ?? wanted.map((item) => ({ ...item, state: 'failed', message: null }) as const);
    const accepted = target.key && plan && refusal === null ? { key: target.key, plan } : null;
    if (accepted) {
      const cause = { source: 'api', changeId: change.changeId, tells: true } as const;
      await markItems(tx, accepted.key, cause, accepted.plan.marked);
      await unmarkItems(tx, accepted.key, accepted.plan.unmarked);
    }
    await insertItemChange(tx, { ...change, items, refusal });
    // Items that are not in the live menu are stored too, and the workflow acts when their time is over.
    return accepted !== null && accepted.plan.marked.length + accepted.plan.unmarked.length > 0;
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
): Promise<ChangedLine[] | undefined> {
  return inLockedLines(sql, request, async (tx, { key, refusal }, change) => {
    if (key) await writePause(tx, key, { ...wanted, changeId: change.changeId });
    await insertPauseChange(tx, { ...change, ...wanted, refusal });
    return key !== null;
  });
}

interface LockedTarget {
  /** Null if nothing can be sent. */
  readonly key: PublicationKey | null;
  readonly refusal: string | null;
}

type Write = (
  tx: Transaction,
  target: LockedTarget,
  change: Omit<Parameters<typeof insertPauseChange>[1], 'paused' | 'until' | 'reason' | 'refusal'>,
) => Promise<boolean>;

/**
 * Runs `write` for each target with its line locked; always in the same order, so that two requests cannot deadlock.
 */
function inLockedLines(
  sql: Sql,
  request: ChangeRequest,
  write: Write,
): Promise<ChangedLine[] | undefined> {
  const { requestRowId, storeId, userId, requestId, waitMs, heldKey } = request;
  return sql.begin(async (tx) => {
    const [held] = await bindHeldKey(tx, heldKey, requestRowId);
    if (!held) return undefined;
    const lines: ChangedLine[] = [];
    const inOrder = request.targets.toSorted(
      (one, other) => (one.integrationId ?? 0) - (other.integrationId ?? 0),
    );
    for (const { integrationId, named, refusal } of inOrder) {
      const isOpen = refusal === null && integrationId !== null;
      const key = isOpen ? { storeId, integrationId } : null;
      const alive = key ? await lockLine(tx, key) : false;
      const changeId: ChangeId = newId('avc');
      const change = { changeId, requestRowId, storeId, userId, requestId, waitMs };
      const isWork = await write(
        tx,
        { key, refusal },
        { ...change, integrationId, namedIntegration: named, cause: 'api' },
      );
      if (key && isWork) lines.push({ key, alive });
    }
    return lines;
  });
}
