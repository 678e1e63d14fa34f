import type { PendingQuery, Row } from 'postgres';
import {
  type ChangeCause,
  type ChangeState,
  type ItemState,
  type StoreChangeKind,
  TIME_HAS_PASSED,
} from '../availability';
import { type ChangeId, type ChangeRequestId, newId, type UserId } from '../../platform/ids';
import type { Transaction } from '../../platform/db/client';
import { isLeased } from '../../platform/queue/lease';
import type { PublicationKey } from '../../uploads/sql/publications';
import { notifyRowsDone } from '../../platform/db/row-done';

/** An item of a new change; the app is told only if it is `waiting`. */
export interface NewChangeItem {
  readonly externalId: string;
  readonly available: boolean;
  readonly until: Date | null;
  readonly state: Extract<ItemState, 'waiting' | 'done' | 'failed'>;
  readonly message: string | null;
}

interface NewChange {
  readonly changeId: ChangeId;
  readonly changeRequestId: ChangeRequestId;
  readonly storeId: number;
  readonly integrationId: number;
  readonly namedIntegration: string;
  readonly cause: ChangeCause;
  /** Null: a change made by the service itself. */
  readonly userId: UserId | null;
  readonly requestId: string;
  /** How long its caller waits, ms; 0 = no notification is needed. */
  readonly waitMs: number;
}

/** A change of the service's own: nobody waits for it, and its cause stands in place of a request's id. */
export function ownChange<Cause extends ChangeCause>(
  { storeId, integrationId }: PublicationKey,
  cause: Cause,
) {
  return {
    changeId: newId('avc'),
    changeRequestId: newId('avr'),
    storeId,
    integrationId,
    namedIntegration: String(integrationId),
    cause,
    userId: null,
    requestId: cause,
    waitMs: 0,
  } as const;
}

export interface NewItemChange extends NewChange {
  readonly items: readonly NewChangeItem[];
  /** The app is told after this delay, ms, so that changes by stock are collected. */
  readonly delayMs?: number;
  /** The upload after which the app is told again. */
  readonly uploadId?: string;
}

/** A change of the store as a whole; all but its kind only of a pause. */
export interface NewStoreChange extends NewChange {
  readonly kind: StoreChangeKind;
  readonly paused?: boolean;
  readonly until?: Date | null;
  readonly reason?: string | null;
}

/** Locks the queue of a store and integration for the transaction. Returns whether its workflow has the lease. */
export async function lockQueue(tx: Transaction, key: PublicationKey): Promise<boolean> {
  // Calls share the publication's lease with pushes, and there may have been no push yet.
  await tx`
    insert into publication (store_id, integration_id)
    values (${key.storeId}::bigint, ${key.integrationId}::bigint)
    on conflict (store_id, integration_id) do nothing`;
  const [queue] = await tx<{ leased: boolean }[]>`
    insert into availability_queue as q (store_id, integration_id)
    values (${key.storeId}::bigint, ${key.integrationId}::bigint)
    on conflict (store_id, integration_id) do update set
      retry_at = case when q.retry_is_asked then q.retry_at end
    returning ${isLeased(tx, tx`q.`)} as leased`;
  return queue?.leased ?? false;
}

/**
 * Writes a change of items, whose queue must be locked. The same items in older changes end `superseded`: for each item
 * the newest counts.
 */
export async function insertItemChange(tx: Transaction, change: NewItemChange): Promise<void> {
  const { changeId, storeId, integrationId, items } = change;
  const ids = items.map((item) => item.externalId);
  await tx`
    update availability_item set state = 'superseded'
    where store_id = ${storeId}::bigint and integration_id = ${integrationId}::bigint
      and state = 'waiting' and external_id = any(${ids}::text[])`;
  await tx`
    insert into availability_change (change_id, request_row_id, store_id, integration_id,
      named_integration, kind, cause, user_id, request_id, upload_id, due_at, awaited_until)
    values (${changeId}, ${change.changeRequestId}, ${storeId}::bigint, ${integrationId}::bigint,
      ${change.namedIntegration}, 'items', ${change.cause}, ${change.userId}, ${change.requestId},
      ${change.uploadId ?? null}, now() + ${change.delayMs ?? 0}::int * interval '1 ms',
      now() + nullif(${change.waitMs}::int, 0) * interval '1 ms')`;
  await tx`
    insert into availability_item (change_id, position, store_id, integration_id, external_id,
      available, until, state, message)
    select ${changeId}, i.position, ${storeId}::bigint, ${integrationId}::bigint,
      i.external_id, i.available, i.until, i.state, i.message
    from json_to_recordset(${itemsJson(items)}::text::json) as i (position int,
      external_id text, available boolean, until timestamptz, state text, message text)`;
  await endChanges(tx, { storeId, integrationId });
}

function itemsJson(items: readonly NewChangeItem[]): string {
  return JSON.stringify(
    items.map(({ externalId, available, until, state, message }, position) => ({
      position,
      external_id: externalId,
      available,
      until,
      state,
      message,
    })),
  );
}

/** Writes a change of the whole store; an older unfinished one of its kind in the queue ends `superseded`. */
export async function insertStoreChange(tx: Transaction, change: NewStoreChange): Promise<void> {
  const { storeId, integrationId, kind, paused = null, until = null, reason = null } = change;
  await endStoreChanges(tx, { storeId, integrationId }, { kind, state: 'superseded' });
  await tx`
    insert into availability_change (change_id, request_row_id, store_id, integration_id,
      named_integration, kind, cause, user_id, request_id, paused, until, reason, awaited_until)
    values (${change.changeId}, ${change.changeRequestId}, ${storeId}::bigint, ${integrationId}::bigint,
      ${change.namedIntegration}, ${kind}, ${change.cause}, ${change.userId}, ${change.requestId},
      ${paused}::boolean, ${until}::timestamptz, ${reason},
      now() + nullif(${change.waitMs}::int, 0) * interval '1 ms')`;
}

/** How changes of the whole store end. */
interface StoreChangeEnd {
  readonly kind: StoreChangeKind;
  readonly state: Extract<ChangeState, 'done' | 'failed' | 'superseded'>;
  readonly messages?: readonly string[];
  /** Only this one; absent: all. */
  readonly changeId?: string;
}

/** Ends the unfinished changes of a kind in a queue. */
export async function endStoreChanges(
  tx: Transaction,
  { storeId, integrationId }: PublicationKey,
  { kind, state, messages = [], changeId }: StoreChangeEnd,
): Promise<void> {
  await tx`
    with ended as (
      update availability_change set state = ${state}, finished_at = now(),
        messages = ${JSON.stringify(messages)}::text::json
      where store_id = ${storeId}::bigint and integration_id = ${integrationId}::bigint
        and kind = ${kind} and state in ('queued', 'running')
        and change_id = coalesce(${changeId ?? null}, change_id)
      returning request_row_id, awaited_until
    )
    ${notifyRowsDone(tx, tx`select distinct request_row_id as id from ended where awaited_until > now()`)}`;
}

/**
 * Ends the changes of items in a queue that have no waiting item: `failed` if one item failed, `superseded` if newer
 * changes took all of them, otherwise `done`. For a change after a menu, also ends that upload's step.
 */
export async function endChanges(tx: Transaction, key: PublicationKey): Promise<void> {
  const { storeId, integrationId } = key;
  await tx`
    with due as (
      select c.change_id,
        case when bool_or(i.state = 'failed') then 'failed'
          when bool_or(i.state = 'done') then 'done' else 'superseded' end as state,
        array_to_json(array_remove(
          array_agg(i.message order by i.position)
            -- It was called about in vain until its time had passed.
            || case when bool_or(i.tried and i.message = ${TIME_HAS_PASSED}) then ${lastWords(tx, key)} end,
          null)) as messages
      from availability_change c left join availability_item i using (change_id)
      where c.store_id = ${storeId}::bigint and c.integration_id = ${integrationId}::bigint
        and c.kind = 'items' and c.state in ('queued', 'running')
      group by c.change_id having not coalesce(bool_or(i.state = 'waiting'), false)
    ), ended as (
      update availability_change c set state = due.state, messages = due.messages, finished_at = now()
      from due where c.change_id = due.change_id
      returning c.request_row_id, c.awaited_until, c.upload_id, c.state
    ), steps as (
      update upload_step s set finished_at = now(),
        state = case e.state when 'done' then 'done' when 'failed' then 'failed' else 'skipped' end
      from ended e where s.upload_id = e.upload_id and s.name = 'availability'
    )
    ${notifyRowsDone(tx, tx`select distinct request_row_id as id from ended where awaited_until > now()`)}`;
}

/** What the app said last to a queue whose calls are in vain; null if it said nothing. */
export function lastWords(
  tx: Transaction,
  { storeId, integrationId }: PublicationKey,
): PendingQuery<Row[]> {
  return tx`(select nullif(q.wait_words, '') from availability_queue q
    where q.store_id = ${storeId}::bigint and q.integration_id = ${integrationId}::bigint)`;
}
