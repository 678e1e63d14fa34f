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
  /** The targets as text from the database: equal texts mean equal targets. */
  readonly targetsText: string;
  /** Whether its stock decides what is on sale. */
  readonly countsStock: boolean;
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
    const rows = await sql<(Omit<EventStore, 'targets'> & { question: number })[]>`
      select q.question, s.store_id, ${isAllowed(sql)} as allowed, ${targetsText(sql)} as targets_text,
        s.availability_from_stock = 'on' as counts_stock
      from unnest(
        ${questions.map((each) => each.userId)}::text[],
        ${questions.map((each) => each.storeId)}::bigint[],
        ${questions.map((each) => each.type)}::smallint[])
        with ordinality as q (user_id, store_id, type, question)
      join store s using (store_id)
      where s.deleted_at is null`;
    const found = new Map(rows.map(({ question, ...store }) => [question, withTargets(store)]));
    return questions.map((_, index) => found.get(index + 1));
  },
);

/** The database wrote this text by `targetsText`. */
function withTargets(store: Omit<EventStore, 'targets'>): EventStore {
  return { ...store, targets: JSON.parse(store.targetsText) as EventTarget[] };
}

/** Whether user `q.user_id` may act on store `s`. */
function isAllowed(sql: Sql): PendingQuery<Row[]> {
  return sql`(select true from user_store us
    where us.store_id = s.store_id and us.user_id = q.user_id) is true`;
}

/**
 * Where events of type `q.type` of store `s` go, as text. The limit, which leaves nothing out, makes Postgres begin with
 * the links: without statistics, in the first minute of a database, it would read all subscriptions of the type.
 */
function targetsText(sql: Sql): PendingQuery<Row[]> {
  return sql`(select coalesce(json_agg(json_build_object('subscriptionId', w.subscription_id,
      'inventorySystemId', l.inventory_system_id, 'externalStoreId', l.external_store_id)
      order by l.created_at, l.inventory_system_id), '[]')::text
    from store_link l cross join lateral (
      select subscription_id from subscription
      where inventory_system_id = l.inventory_system_id and type = q.type and deleted_at is null limit 1) w
    where l.store_id = s.store_id)`;
}

/** What a process remembers of an event's store. */
export interface RememberedRoute {
  readonly question: EventStoreQuestion;
  readonly targetsText: string;
}

/**
 * The numbers (`event`, from 0) of those routes that still hold, null among them: the user may act on the store, and
 * its events of the type go to the same targets.
 */
export function stillRouted(
  sql: Sql,
  routes: readonly (RememberedRoute | null)[],
): PendingQuery<Row[]> {
  return sql`
    select q.event from unnest(
      ${routes.map((_, event) => event)}::int[],
      ${routes.map((each) => each?.question.userId ?? null)}::text[],
      ${routes.map((each) => each?.question.storeId ?? null)}::bigint[],
      ${routes.map((each) => each?.question.type ?? null)}::smallint[],
      ${routes.map((each) => each?.targetsText ?? null)}::text[])
      as q (event, user_id, store_id, type, known)
    where q.known is null or q.known = (
      select ${targetsText(sql)} from store s
      where s.store_id = q.store_id and s.deleted_at is null and ${isAllowed(sql)}
        -- Its movements would have to count, which takes a look at the store.
        and (q.type <> 2 or s.availability_from_stock = 'off'))`;
}
