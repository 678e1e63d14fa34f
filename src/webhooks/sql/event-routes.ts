import type { PendingQuery, Row } from 'postgres';
import type { Sql } from '../../platform/db/client';
import { coalesced } from '../../platform/db/coalesce';
import type { SubscriptionId, UserId } from '../../platform/ids';
import type { StoreAccess } from '../../users/sql/store-access';
import type { WebhookType } from '../payload';

/** One webhook that gets an event of a store, and the store's id there. */
export interface EventTarget {
  readonly subscriptionId: SubscriptionId;
  readonly inventorySystemId: string;
  readonly externalStoreId: string;
}

export interface EventStore extends Omit<StoreAccess, 'createdBy'> {
  /** The linked systems' webhooks of the type, oldest link first. */
  readonly targets: readonly EventTarget[];
  /** Whether its stock decides what is on sale. */
  readonly countsStock: boolean;
  readonly timeZone: string | null;
}

export interface EventStoreQuestion {
  readonly userId: UserId;
  readonly storeId: number;
  readonly type: WebhookType;
}

/**
 * A store, whether the user may act on it, and where its events go, in one statement; undefined = no such store. It
 * avoids `exists`, for which Postgres may first read all of `user_store` into a hash table.
 */
export const findEventStore = coalesced(
  async (sql, questions: readonly EventStoreQuestion[]): Promise<(EventStore | undefined)[]> => {
    const rows = await sql<(EventStore & { question: number })[]>`
      select q.question, s.store_id, ${isAllowed(sql)} as allowed, ${targets(sql)} as targets,
        s.availability_from_stock = 'on' as counts_stock, s.time_zone
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

/** Whether user `q.user_id` may act on store `s`. */
function isAllowed(sql: Sql): PendingQuery<Row[]> {
  return sql`(select true from user_store us
    where us.store_id = s.store_id and us.user_id = q.user_id) is true`;
}

/**
 * Where events of type `q.type` of store `s` go, as JSON. The limit, which leaves nothing out, makes Postgres begin with
 * the links: without statistics, in the first minute of a database, it would read all subscriptions of the type.
 */
function targets(sql: Sql): PendingQuery<Row[]> {
  return sql`(select coalesce(json_agg(json_build_object('subscriptionId', w.subscription_id,
      'inventorySystemId', l.inventory_system_id, 'externalStoreId', l.external_store_id)
      order by l.created_at, l.inventory_system_id), '[]')
    from store_link l cross join lateral (
      select subscription_id from subscription
      where inventory_system_id = l.inventory_system_id and type = q.type and deleted_at is null limit 1) w
    where l.store_id = s.store_id)`;
}
