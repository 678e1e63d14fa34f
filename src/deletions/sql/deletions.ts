import type { PendingQuery, Row } from 'postgres';
import type { Sql, Transaction } from '../../platform/db/client';
import { onlyRow } from '../../platform/db/only-row';
import { notifyRowsDone } from '../../platform/db/row-done';
import { cancelWaiting, waitId } from '../../uploads/sql/upload-cancel';
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
      ${notifyRowsDone(sql, sql`select ${waitId(sql)} as id from canceled where awaited_until > now()`)}
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
 * Deactivates or deletes a user's account. The webhooks of the user's systems, and the one for events, are disabled
 * until the user is active again, or deleted with the account. What waits for deleted ones ends `discarded`, as do
 * waiting events in both cases, see `discards.ts`; so do links that only a deleted user held up.
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
  const ofEnded = sql`s.subscription_id in (${ownSubscriptions(sql, sql`select user_id from ended`)})`;
  const isDeleted = state === 'deleted';
  const [row] = await sql<UserRow[]>`
    with ended as (
      update app_user set state = ${state}
      where user_id = ${userId} and (state <> 'deleted' or ${state} = 'deleted')
      returning user_id, name, permissions, state
    ), silenced as (
      ${
        isDeleted
          ? endSubscriptions(sql, ofEnded)
          : sql`
            update subscription s set state = 'disabled',
              disabled_reason = coalesce(s.disabled_reason, 'owner_inactive')
            where ${ofEnded} and s.deleted_at is null
            returning s.subscription_id, s.type`
      }
    ), ordered as (
      ${orderDiscards(
        sql,
        isDeleted
          ? sql`select subscription_id, null::bigint from silenced`
          : sql`select subscription_id, null::bigint from silenced where type = ${EVENTS}::smallint`,
      )}
    ), signed_out as (
      delete from console_session
      where user_id in (select user_id from ended) and token_id is null
    ), without_links as (
      delete from sign_in_link where user_id in (select user_id from ended)
    )${isDeleted ? sql`, ${endLinksWithout(sql, { userId })}` : sql``}
    select user_id, name, permissions, state from ended`;
  return row;
}

/** The webhooks of a user: of the user's systems, and the one for events. */
function ownSubscriptions(sql: Transaction, user: PendingQuery<Row[]>): PendingQuery<Row[]> {
  return sql`
    select o.subscription_id from subscription o where o.user_id = (${user})
    union all
    select o.subscription_id from subscription o join inventory_system i using (inventory_system_id)
    where i.created_by = (${user})`;
}

/**
 * Two parts of a statement, `loose` and `let_go`: they end the links that nobody holds up once the user does not have
 * the stores any more (`storeId`: only that one), and order that what waits for them is discarded. A link is held up by
 * who made it and by its system's owner, while they have the store, and by an operator who made it.
 */
function endLinksWithout(
  sql: Transaction,
  { userId, storeId = null }: { readonly userId: string; readonly storeId?: number | null },
): PendingQuery<Row[]> {
  return sql`loose as (
      delete from store_link l using inventory_system i
      where i.inventory_system_id = l.inventory_system_id and not l.by_operator
        and (${userId} = any (l.made_by) or ${userId} = i.created_by)
        and (${storeId}::bigint is null or l.store_id = ${storeId}::bigint)
        and not exists (
          select from user_store us join app_user u using (user_id)
          where us.store_id = l.store_id and us.user_id <> ${userId} and u.state <> 'deleted'
            and (us.user_id = any (l.made_by) or us.user_id = i.created_by))
      returning l.store_id, l.inventory_system_id
    ), let_go as (
      ${orderDiscards(
        sql,
        sql`select s.subscription_id, l.store_id from loose l join subscription s using (inventory_system_id)`,
      )}
    )`;
}

/**
 * Takes a store from a user who has it, and ends the links that nobody else holds up. False = the user did not have it.
 */
export function revokeStore(sql: Sql, userId: string, storeId: number): Promise<boolean> {
  return sql.begin(async (tx) => {
    // A link that is just being made for it holds the lock, and is seen once it is committed.
    await tx`select from store where store_id = ${storeId}::bigint for no key update`;
    const rows = await tx<{ gone: number }[]>`
      with gone as (
        delete from user_store where user_id = ${userId} and store_id = ${storeId}::bigint
        returning store_id
      ), ${endLinksWithout(tx, { userId, storeId })}
      select count(*)::int as gone from gone`;
    return onlyRow(rows).gone > 0;
  });
}

interface ActivatedUser extends UserRow {
  /** The state of the webhook for events. */
  readonly eventsWebhook: 'enabled' | 'disabled' | null;
}

/**
 * Takes a deactivation back: what it disabled is enabled, and what waits for the systems goes out. The state of the
 * webhook for events is null if there is none. Undefined = there is no such user, or a deleted one.
 */
export async function activateUser(sql: Sql, userId: string): Promise<ActivatedUser | undefined> {
  const [row] = await sql<ActivatedUser[]>`
    with active as (
      update app_user u set state = 'active' where u.user_id = ${userId} and u.state <> 'deleted'
      returning u.user_id, u.name, u.permissions, u.state
    ), enabled as (
      update subscription s set state = 'enabled', disabled_reason = null,
        health_version = s.health_version + 1
      where s.subscription_id in (${ownSubscriptions(sql, sql`select user_id from active`)})
        and s.deleted_at is null and s.disabled_reason = 'owner_inactive'
      returning s.subscription_id, s.type
    )
    select a.user_id, a.name, a.permissions, a.state, (
      select case when s.subscription_id in (select subscription_id from enabled) then 'enabled' else s.state end
      from subscription s
      where s.user_id = a.user_id and s.type = ${EVENTS}::smallint and s.deleted_at is null) as events_webhook
    from active a`;
  return row;
}
