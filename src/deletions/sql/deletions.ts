import type { Sql, Transaction } from '../../platform/db/client';
import { onlyRow } from '../../platform/db/only-row';
import { notifyRowsDone } from '../../platform/db/row-done';
import { cancelWaiting } from '../../uploads/sql/upload-cancel';
import { skipOpenSteps } from '../../uploads/sql/upload-steps';
import type { UserRow, UserState } from '../../users/sql/users';
import { EVENTS } from '../../webhooks/platform-events';
import { endSubscriptions, orderDiscards } from '../../webhooks/sql/discards';

/*
 * Each of these deletes something in one statement: after its commit nothing more is accepted for it. Waiting uploads
 * are canceled, and waiting deliveries are ordered to be discarded (see `discards.ts`). Its row is locked before that
 * statement: a link or a webhook that is just being made for it holds the lock, and is seen once it is committed.
 */

/** Deletes a store and its links. False = there is none (any more). */
export function deleteStore(sql: Sql, storeId: number): Promise<boolean> {
  return sql.begin(async (tx) => {
    await tx`select from store where store_id = ${storeId}::bigint for update`;
    return deleteLockedStore(tx, storeId);
  });
}

async function deleteLockedStore(sql: Transaction, storeId: number): Promise<boolean> {
  const rows = await sql<{ gone: number }[]>`
    with gone as (
      update store set deleted_at = now(), name_key = 'DELETED ' || store_id
      where store_id = ${storeId}::bigint and deleted_at is null
      returning store_id
    ), canceled as (
      ${cancelWaiting(sql, sql`select store_id from gone`)}
    ), skipped as (
      ${skipOpenSteps(sql, sql`select upload_id from canceled`)}
    ), unlinked as (
      delete from store_link l using gone g where l.store_id = g.store_id
      returning l.store_id, l.inventory_system_id
    ), ordered as (
      ${orderDiscards(
        sql,
        sql`select s.subscription_id, u.store_id from unlinked u join subscription s using (inventory_system_id)`,
      )}
    ), notified as (
      ${notifyRowsDone(sql, sql`select upload_id as id from canceled where awaited_until > now()`)}
    )
    select count(*)::int as gone, (select count(*) from notified) as notified from gone`;
  return onlyRow(rows).gone > 0;
}

/** Deletes an inventory system with its webhooks and links. False = there is none (any more). */
export function deleteInventorySystem(sql: Sql, inventorySystemId: string): Promise<boolean> {
  return sql.begin(async (tx) => {
    await tx`
      select from inventory_system where inventory_system_id = ${inventorySystemId}::uuid for update`;
    return deleteLockedSystem(tx, inventorySystemId);
  });
}

async function deleteLockedSystem(sql: Transaction, inventorySystemId: string): Promise<boolean> {
  const rows = await sql<{ gone: number }[]>`
    with gone as (
      update inventory_system set deleted_at = now(), name_key = 'DELETED ' || inventory_system_id
      where inventory_system_id = ${inventorySystemId}::uuid and deleted_at is null
      returning inventory_system_id
    ), ended as (
      ${endSubscriptions(sql, sql`s.inventory_system_id in (select inventory_system_id from gone)`)}
    ), unlinked as (
      delete from store_link l using gone g where l.inventory_system_id = g.inventory_system_id
    ), ordered as (
      ${orderDiscards(sql, sql`select subscription_id, null::bigint from ended`)}
    )
    select count(*)::int as gone from gone`;
  return onlyRow(rows).gone > 0;
}

/**
 * Deactivates or deletes a user's account; events waiting to be sent to the user end `discarded`, see `discards.ts`.
 * The webhook for events of a deactivated user is disabled, that of a deleted one is deleted.
 * Undefined = there is no such user, or a deleted one is to be deactivated.
 */
export function endUser(
  sql: Sql,
  userId: string,
  state: Exclude<UserState, 'active'>,
): Promise<UserRow | undefined> {
  return sql.begin(async (tx) => {
    await tx`select from app_user where user_id = ${userId} for no key update`;
    return endLockedUser(tx, userId, state);
  });
}

/** The second half of it, for a user whose row is locked. */
export async function endLockedUser(
  sql: Transaction,
  userId: string,
  state: Exclude<UserState, 'active'>,
): Promise<UserRow | undefined> {
  const ofEnded = sql`s.user_id = (select user_id from ended) and s.type = ${EVENTS}::smallint`;
  const [row] = await sql<UserRow[]>`
    with ended as (
      update app_user set state = ${state}
      where user_id = ${userId} and (state <> 'deleted' or ${state} = 'deleted')
      returning user_id, name, permissions, state
    ), silenced as (
      ${
        state === 'deleted'
          ? endSubscriptions(sql, ofEnded)
          : sql`
            update subscription s set state = 'disabled',
              disabled_reason = coalesce(s.disabled_reason, 'manual')
            where ${ofEnded} and s.deleted_at is null
            returning s.subscription_id`
      }
    ), ordered as (
      ${orderDiscards(sql, sql`select subscription_id, null::bigint from silenced`)}
    )
    select user_id, name, permissions, state from ended`;
  return row;
}

interface ActivatedUser extends UserRow {
  /** The state of the webhook for events. */
  readonly eventsWebhook: 'enabled' | 'disabled' | null;
}

/**
 * Takes a deactivation back. The user's webhook for events stays disabled, as it may have been so before; its state is
 * null if there is none. Undefined = there is no such user, or a deleted one.
 */
export async function activateUser(sql: Sql, userId: string): Promise<ActivatedUser | undefined> {
  const [row] = await sql<ActivatedUser[]>`
    update app_user u set state = 'active' where u.user_id = ${userId} and u.state <> 'deleted'
    returning u.user_id, u.name, u.permissions, u.state, (
      select s.state from subscription s
      where s.user_id = u.user_id and s.type = ${EVENTS}::smallint and s.deleted_at is null) as events_webhook`;
  return row;
}
