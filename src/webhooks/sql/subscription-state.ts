import type { PendingQuery, Row } from 'postgres';
import type { Sql } from '../../platform/db/client';
import { keyIs } from '../../platform/db/key-is';
import { onlyRow } from '../../platform/db/only-row';
import { wantedSince } from './ended-deliveries';
import {
  isOf,
  lockOwner,
  shownColumns,
  type SubscriptionKey,
  type SubscriptionRow,
} from './subscriptions';

/** Deliveries in one statement: 10,000 take 0.3 s. */
const BATCH = 10_000;
/** More deliveries than wait for one receiver; what still fails while this runs must not keep it running. */
const MOST_BATCHES = 200;

/**
 * Lets deliveries go out again, with a clean record. Deliveries that wait for a retry, or whose retry became due while
 * it was disabled, become due by their age or their latest resend, oldest first: in batches before it is enabled,
 * because a receiver that failed now and then for hours leaves any number of them. If the process dies before the last
 * batch, the webhook stays as it was, and the next try continues. Undefined if there is no webhook.
 */
export async function enableSubscription(
  sql: Sql,
  key: SubscriptionKey,
): Promise<SubscriptionRow | undefined | 'owner_inactive'> {
  let from: DuePlace = { dueAt: '-infinity', sequence: '0' };
  for (let batches = 0; batches < MOST_BATCHES; batches += 1) {
    const { looked, upTo } = await makeRetriesDue(sql, key, from);
    if (looked < BATCH || upTo === null) break;
    from = upTo;
  }
  return sql.begin(async (tx) => {
    // Locked, so that it is not enabled behind a deactivation.
    const owner = await lockOwner(tx, key);
    if (owner !== 'active' && owner !== 'no_system') return 'owner_inactive';
    const [row] = await tx<SubscriptionRow[]>`
      update subscription s set state = 'enabled', disabled_reason = null,
        consecutive_failures = 0, failing_since = null, paused_until = null, pause_asked = false,
        health_version = s.health_version + 1
      where ${isOf(tx, key)} and s.deleted_at is null
      returning ${shownColumns(tx)}`;
    return row;
  });
}

/** A position among the waiting deliveries of a webhook. The time is Postgres' own text, to the microsecond. */
interface DuePlace {
  readonly dueAt: string;
  readonly sequence: string;
}

interface MadeDue {
  readonly looked: number;
  /** The last delivery that it looked at; null if there was none. */
  readonly upTo: DuePlace | null;
}

/** Looks at up to `BATCH` waiting deliveries of a webhook after `from`, and makes the retries among them due. */
async function makeRetriesDue(
  sql: Sql,
  key: SubscriptionKey,
  { dueAt, sequence }: DuePlace,
): Promise<MadeDue> {
  const rows = await sql<MadeDue[]>`
    with looked as materialized (
      select d.delivery_id, d.due_at, d.sequence, ${isRetry(sql)} as is_retry
      from delivery d
      -- No join: Postgres would not see that the index has them in order, and sort all of them for each batch.
      where d.subscription_id = (
          select s.subscription_id from subscription s where ${isOf(sql, key)} and s.deleted_at is null)
        and (d.due_at, d.sequence) > (${dueAt}::timestamptz, ${sequence}::bigint)
      order by d.due_at, d.sequence limit ${BATCH}
    ), retries as (
      select d.delivery_id from looked l
      join delivery d on ${keyIs(sql, sql`d.delivery_id`, sql`l.delivery_id`)}
      -- Not by a plain =, which would find the row by its time: in all of the index, as its webhook comes before that.
      where l.is_retry and d.due_at is not distinct from l.due_at for update of d skip locked
    ), due as (
      update delivery d set due_at = ${wantedSince(sql)} from retries r
      where ${keyIs(sql, sql`d.delivery_id`, sql`r.delivery_id`)}
    )
    select (select count(*) from looked)::int as looked,
      (select json_build_object('dueAt', due_at::text, 'sequence', sequence::text) from looked
        order by due_at desc, sequence desc limit 1) as up_to`;
  return onlyRow(rows);
}

/** Whether waiting delivery `d` is due later than it was wanted, as it has been tried since. */
function isRetry(sql: Sql): PendingQuery<Row[]> {
  return sql`(d.due_at > now() or d.due_at > ${wantedSince(sql)})`;
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
