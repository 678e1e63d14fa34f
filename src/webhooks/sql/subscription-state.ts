import type { Sql } from '../../platform/db/client';
import { onlyRow } from '../../platform/db/only-row';
import { isOf, shownColumns, type SubscriptionKey, type SubscriptionRow } from './subscriptions';

/** Deliveries in one statement: 10,000 take 0.3 s. */
const BATCH = 10_000;
/** More deliveries than wait for one receiver; what still fails while this runs must not keep it running. */
const MOST_BATCHES = 200;

/**
 * Lets deliveries go out again, with a clean record. Deliveries that wait for a retry become due by their age, oldest
 * first: in batches before it is enabled, because a receiver that failed now and then for hours leaves any number of
 * them. If the process dies before the last batch, the webhook stays as it was, and the next try continues.
 */
export async function enableSubscription(
  sql: Sql,
  key: SubscriptionKey,
): Promise<SubscriptionRow | undefined> {
  let from = '-infinity';
  for (let batches = 0; batches < MOST_BATCHES; batches += 1) {
    const { made, upTo } = await makeRetriesDue(sql, key, from);
    if (made < BATCH || upTo === null) break;
    from = upTo;
  }
  const [row] = await sql<SubscriptionRow[]>`
    update subscription s set state = 'enabled', disabled_reason = null,
      consecutive_failures = 0, failing_since = null, paused_until = null,
      health_version = s.health_version + 1
    where ${isOf(sql, key)} and s.deleted_at is null
    returning ${shownColumns(sql)}`;
  return row;
}

interface MadeDue {
  readonly made: number;
  /** Where the next batch begins: an instant in Postgres' own text, to the microsecond. Null if there was none. */
  readonly upTo: string | null;
}

/** Makes up to `BATCH` retries of a webhook due that are planned for `from` or later. */
async function makeRetriesDue(sql: Sql, key: SubscriptionKey, from: string): Promise<MadeDue> {
  const rows = await sql<MadeDue[]>`
    with chosen as (
      select d.delivery_id, d.due_at from delivery d
      -- No join: Postgres would not see that the index has them in order, and sort all of them for each batch.
      where d.subscription_id = (
          select s.subscription_id from subscription s where ${isOf(sql, key)} and s.deleted_at is null)
        and d.due_at > now() and d.due_at >= ${from}::timestamptz
      order by d.due_at limit ${BATCH} for update skip locked
    ), due as (
      update delivery d set due_at = d.created_at from chosen c where d.delivery_id = c.delivery_id
      returning 1
    )
    select (select count(*) from due)::int as made, (select max(due_at)::text from chosen) as up_to`;
  return onlyRow(rows);
}

/** Holds deliveries back until it is enabled again; the first reason for disabling stays. */
export async function disableSubscription(
  sql: Sql,
  key: SubscriptionKey,
): Promise<SubscriptionRow | undefined> {
  const [row] = await sql<SubscriptionRow[]>`
    update subscription s set state = 'disabled',
      disabled_reason = coalesce(s.disabled_reason, 'manual')
    where ${isOf(sql, key)} and s.deleted_at is null
    returning ${shownColumns(sql)}`;
  return row;
}
