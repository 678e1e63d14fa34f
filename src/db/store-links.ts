import type { WebhookType } from '../domain/webhook-body';
import type { SubscriptionId, UserId } from '../ids';
import type { Sql, Transaction } from './client';
import { coalesced } from './coalesce';
import type { StoreAccess } from './stores';

/** Each event of a store becomes a delivery for each of them, and one request answers for all. */
export const MAX_LINKED_SYSTEMS = 64;

export interface StoreLink {
  readonly inventorySystemId: string;
  readonly storeId: number;
  readonly externalStoreId: string;
}

/**
 * Says which id a store has in an inventory system; said again, the latest counts. The number of the systems that the
 * store is linked to then; undefined, and nothing is done, when it would be more than `MAX_LINKED_SYSTEMS`.
 */
export async function linkStore(sql: Sql, link: StoreLink): Promise<number | undefined> {
  return sql.begin(async (tx) => {
    // One link of a store at a time, or two that count at once would both find room.
    await lockStore(tx, link.storeId);
    return insertLink(tx, link);
  });
}

async function lockStore(tx: Transaction, storeId: number): Promise<void> {
  // Not `for update`, which the foreign keys of events would wait for.
  await tx`select from store where store_id = ${storeId}::bigint for no key update`;
}

async function insertLink(tx: Transaction, link: StoreLink): Promise<number | undefined> {
  const [row] = await tx<{ linked: number }[]>`
    with others as (
      select count(*)::int as count from store_link
      where store_id = ${link.storeId}::bigint
        and inventory_system_id <> ${link.inventorySystemId}::uuid
    )
    insert into store_link (store_id, inventory_system_id, external_store_id)
    select ${link.storeId}::bigint, ${link.inventorySystemId}::uuid, ${link.externalStoreId}
    from others where count < ${MAX_LINKED_SYSTEMS}::int or exists (
      select from store_link
      where store_id = ${link.storeId}::bigint
        and inventory_system_id = ${link.inventorySystemId}::uuid)
    on conflict (store_id, inventory_system_id)
      do update set external_store_id = excluded.external_store_id
    returning (select count + 1 from others) as linked`;
  return row?.linked;
}

/** One webhook that an event of a store goes to, and what the store is called there. */
export interface EventTarget {
  readonly subscriptionId: SubscriptionId;
  readonly inventorySystemId: string;
  readonly externalStoreId: string;
}

export interface EventStore extends Omit<StoreAccess, 'createdBy'> {
  /** The linked systems' webhooks of the type, oldest link first. */
  readonly targets: readonly EventTarget[];
}

export interface EventStoreQuestion {
  readonly userId: UserId;
  readonly storeId: number;
  readonly type: WebhookType;
}

/**
 * A store, whether the user may act on it and where its events go, in one statement; undefined = no such store.
 * Not `exists`: for that Postgres may read all of `user_store` into a hash table first.
 */
export const findEventStore = coalesced(
  async (sql, questions: readonly EventStoreQuestion[]): Promise<(EventStore | undefined)[]> => {
    const rows = await sql<(EventStore & { question: number })[]>`
      select q.question, s.store_id,
        (select true from user_store us where us.store_id = s.store_id and us.user_id = q.user_id)
          is true as allowed,
        (select coalesce(json_agg(json_build_object('subscriptionId', w.subscription_id,
            'inventorySystemId', l.inventory_system_id, 'externalStoreId', l.external_store_id)
            order by l.created_at, l.inventory_system_id), '[]')
          from store_link l join subscription w using (inventory_system_id)
          where l.store_id = s.store_id and w.type = q.type and w.deleted_at is null) as targets
      from unnest(
        ${questions.map((each) => each.userId)}::text[],
        ${questions.map((each) => each.storeId)}::bigint[],
        ${questions.map((each) => each.type)}::smallint[])
        with ordinality as q (user_id, store_id, type, question)
      join store s using (store_id)
      where s.deleted_at is null`;
    const found = new Map(rows.map(({ question, ...store }) => [question, store]));
    return questions.map((_, index) => found.get(index + 1));
  },
);
