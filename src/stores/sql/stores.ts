import type { UserId } from '../../platform/ids';
import type { Sql } from '../../platform/db/client';
import { onlyRow } from '../../platform/db/only-row';
import { type HeldKey, bindHeldKey } from '../../http/sql/idempotency';

export interface NewStore {
  /** From `reserveStoreId`. */
  readonly storeId: number;
  readonly name: string;
  readonly nameKey: string;
  readonly countryCode: string;
  readonly direction: string | null;
  readonly latitude: number | null;
  readonly longitude: number | null;
  readonly timeZone: string | null;
  readonly createdBy: UserId | null;
  readonly heldKey: HeldKey | null;
}

/** The id of a store about to be created: the creating statement binds it to the idempotency key. */
export async function reserveStoreId(sql: Sql): Promise<number> {
  const rows = await sql<{ id: number }[]>`
    select nextval(pg_get_serial_sequence('store', 'store_id')) as id`;
  return onlyRow(rows).id;
}

/**
 * Creates a store; its creator gets it. `taken`: the creator already has a store of that name. `key_lost`: another
 * request holds the idempotency key now.
 */
export async function insertStore(
  sql: Sql,
  store: NewStore,
): Promise<'made' | 'taken' | 'key_lost'> {
  const { storeId, heldKey } = store;
  const rows = await sql<{ held: number; made: number }[]>`
    with held_key as (${bindHeldKey(sql, heldKey, String(storeId))}),
    made as (
      insert into store (store_id, name, name_key, country_code, direction, latitude, longitude, time_zone,
        created_by)
      select ${storeId}::bigint, ${store.name}, ${store.nameKey}, ${store.countryCode}, ${store.direction},
        ${store.latitude}::double precision, ${store.longitude}::double precision, ${store.timeZone},
        ${store.createdBy}
      from held_key
      on conflict (created_by, name_key) where name_key is not null do nothing
      returning store_id, created_by
    ), granted as (
      insert into user_store (user_id, store_id)
      select created_by, store_id from made where created_by is not null
    )
    select (select count(*) from held_key) as held, (select count(*) from made) as made`;
  const { held, made } = onlyRow(rows);
  if (held === 0) return 'key_lost';
  return made > 0 ? 'made' : 'taken';
}

/** False when the user or the store does not exist. */
export async function grantStore(sql: Sql, userId: string, storeId: number): Promise<boolean> {
  const rows = await sql`
    insert into user_store (user_id, store_id)
    select u.user_id, s.store_id from app_user u, store s
    where u.user_id = ${userId} and s.store_id = ${storeId}::bigint and s.deleted_at is null
    on conflict (user_id, store_id) do update set store_id = excluded.store_id
    returning store_id`;
  return rows.length > 0;
}
