import type { ChangeKind, StoreChangeKind, WantedItem } from '../availability';
import { type ChangeId, type ChangeRequestId, newId, type UserId } from '../../platform/ids';
import type { Transaction } from '../../platform/db/client';

/** A target of a request to which nothing of it is sent. */
export interface RefusedTarget {
  /** Null: no integration has this name. */
  readonly integrationId: number | null;
  /** The integration as the caller named it. */
  readonly named: string;
  readonly refusal: string;
}

/** Of all changes of a request; only of a pause. */
interface SharedParts {
  readonly paused?: boolean;
  readonly until?: Date | null;
  readonly reason?: string | null;
}

interface RefusedRequest {
  readonly changeRequestId: ChangeRequestId;
  readonly storeId: number;
  readonly userId: UserId;
  readonly requestId: string;
}

/**
 * Writes the changes of all targets that are refused as a whole, in two statements however many there are; they share
 * the rows of their items.
 */
export async function insertRefusedItems(
  tx: Transaction,
  request: RefusedRequest,
  targets: readonly RefusedTarget[],
  wanted: readonly WantedItem[],
): Promise<void> {
  const rows = rowsOf(targets);
  // The retention removes them in the order of their ids, the one with the items last.
  const keeper = rows.toSorted((one, other) => (one.change_id < other.change_id ? -1 : 1)).at(-1);
  if (!keeper) return;
  await insertRefused(tx, request, rows, { kind: 'items', itemsOf: keeper.change_id });
  const items = wanted.map(({ externalId, available, until }, position) => ({
    position,
    external_id: externalId,
    available,
    until,
  }));
  await tx`
    insert into availability_item (change_id, position, store_id, integration_id, external_id,
      available, until, state)
    select ${keeper.change_id}, i.position, ${request.storeId}::bigint,
      ${keeper.integration_id}::bigint, i.external_id, i.available, i.until, 'failed'
    from json_to_recordset(${JSON.stringify(items)}::text::json) as i (position int,
      external_id text, available boolean, until timestamptz)`;
}

/** The same for a change of the whole store. */
export async function insertRefusedOfStore(
  tx: Transaction,
  request: RefusedRequest,
  targets: readonly RefusedTarget[],
  change: SharedParts & { readonly kind: StoreChangeKind },
): Promise<void> {
  if (targets.length > 0) await insertRefused(tx, request, rowsOf(targets), change);
}

function rowsOf(targets: readonly RefusedTarget[]) {
  return targets.map(({ integrationId, named, refusal }) => ({
    change_id: newId('avc'),
    integration_id: integrationId,
    named,
    refusal,
  }));
}

async function insertRefused(
  tx: Transaction,
  { changeRequestId, storeId, userId, requestId }: RefusedRequest,
  rows: ReturnType<typeof rowsOf>,
  shared: SharedParts & { readonly kind: ChangeKind; readonly itemsOf?: ChangeId },
): Promise<void> {
  const { kind, itemsOf = null, paused = null, until = null, reason = null } = shared;
  await tx`
    insert into availability_change (change_id, request_row_id, store_id, integration_id,
      named_integration, kind, cause, user_id, request_id, paused, until, reason, state, messages,
      items_of, finished_at)
    select r.change_id, ${changeRequestId}, ${storeId}::bigint, r.integration_id, r.named, ${kind}, 'api',
      ${userId}, ${requestId}, ${paused}::boolean, ${until}::timestamptz, ${reason}::text, 'failed',
      json_build_array(r.refusal), ${itemsOf}::text, now()
    from json_to_recordset(${JSON.stringify(rows)}::text::json) as r (change_id text,
      integration_id bigint, named text, refusal text)`;
}
