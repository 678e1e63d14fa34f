import type { WebhookType } from '../domain/webhook-body';
import type { SubscriptionId, UserId } from '../ids';
import type { Sql } from './client';
import type { StoreAccess } from './stores';

/** Says which id a store has in an inventory system; said again, the latest counts. */
export async function linkStore(
  sql: Sql,
  link: { inventorySystemId: string; storeId: number; externalStoreId: string },
): Promise<void> {
  await sql`
    insert into store_link (store_id, inventory_system_id, external_store_id)
    values (${link.storeId}::bigint, ${link.inventorySystemId}::uuid, ${link.externalStoreId})
    on conflict (store_id, inventory_system_id)
      do update set external_store_id = excluded.external_store_id`;
}

/** One webhook that an event of a store goes to, and what the store is called there. */
export interface EventTarget {
  readonly subscriptionId: SubscriptionId;
  readonly inventorySystemId: string;
  readonly externalStoreId: string;
}

export interface EventStore extends StoreAccess {
  /** The linked systems' webhooks of the type, oldest link first. */
  readonly targets: readonly EventTarget[];
}

/** A store, whether the user may act on it and where its events go, in one statement; undefined = no such store. */
export async function findEventStore(
  sql: Sql,
  userId: UserId,
  storeId: number,
  type: WebhookType,
): Promise<EventStore | undefined> {
  const [row] = await sql<EventStore[]>`
    select s.store_id,
      exists (select from user_store us where us.store_id = s.store_id and us.user_id = ${userId})
        as allowed,
      (select coalesce(json_agg(json_build_object('subscriptionId', w.subscription_id,
          'inventorySystemId', l.inventory_system_id, 'externalStoreId', l.external_store_id)
          order by l.created_at, l.inventory_system_id), '[]')
        from store_link l join subscription w using (inventory_system_id)
        where l.store_id = s.store_id and w.type = ${type}::smallint) as targets
    from store s where s.store_id = ${storeId}::bigint`;
  return row;
}
