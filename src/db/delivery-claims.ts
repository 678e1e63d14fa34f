import type { DisabledReason, ReceiverHealth } from '../domain/breaker';
import { COUNTED_WAITING, type AfterDrain } from '../domain/drain-report';
import type { WebhookType } from '../domain/webhook-body';
import type { DeliveryId, MessageId, SubscriptionId } from '../ids';
import type { Sql } from './client';

/*
 * How drains take deliveries. A drain begins by raising the subscription's `drain_epoch`; every later statement of it
 * carries that epoch, and one with a lower epoch claims nothing and records nothing. So a process that was thought
 * dead and wakes up again can do no harm to what its successor did, and the successor need not wait for leases to end.
 */

/** How long a drain's promise to look again holds without being renewed: what a NOTIFY to a dead process may cost. */
const ALIVE_SECONDS = 15;
/** A promise is renewed when less than this is left of it: not with each claim, the row would be rewritten for ever. */
const RENEW_AT_SECONDS = 8;
/** Larger payloads (as stored, compressed) are loaded one by one: a claim is shared, and 20 of 10 MB would hold up everybody. */
const INLINE_PAYLOAD_BYTES = 16_384;

export interface BegunDrain {
  readonly epoch: number;
  readonly maxInFlight: number;
  readonly health: ReceiverHealth;
  readonly healthVersion: number;
  /** The database's clock, ms since the epoch. */
  readonly now: number;
}

type BegunRow = Omit<BegunDrain, 'health'> & ReceiverHealth;

/** Makes this drain the only one of its subscription. Undefined when there is no such subscription. */
export async function beginDrain(
  sql: Sql,
  subscriptionId: SubscriptionId,
): Promise<BegunDrain | undefined> {
  const [row] = await sql<BegunRow[]>`
    update subscription set drain_epoch = drain_epoch + 1, sweeps = 0, next_sweep_at = now(),
      alive_until = now() + ${ALIVE_SECONDS}::int * interval '1 s'
    where subscription_id = ${subscriptionId}
    returning drain_epoch as epoch, max_in_flight, health_version, consecutive_failures, disabled_reason,
      (extract(epoch from failing_since) * 1000)::float8 as failing_since,
      (extract(epoch from paused_until) * 1000)::float8 as paused_until,
      (extract(epoch from clock_timestamp()) * 1000)::float8 as now`;
  if (!row) return undefined;
  const { epoch, maxInFlight, healthVersion, now, ...health } = row;
  return { epoch, maxInFlight, healthVersion, now, health };
}

export interface ClaimRequest {
  readonly subscriptionId: SubscriptionId;
  readonly epoch: number;
  /** How many deliveries at most; 0 only renews the promise to look again. */
  readonly room: number;
}

/** What a subscription says at the moment of a claim: a new URL or secret is in force for the very next attempt. */
export interface ClaimingSubscription {
  readonly subscriptionId: SubscriptionId;
  readonly type: WebhookType;
  readonly url: string;
  readonly maxInFlight: number;
  readonly secretEncrypted: Buffer;
  /** Null outside of a rotation's grace. */
  readonly previousSecretEncrypted: Buffer | null;
  readonly disabledReason: DisabledReason | null;
  /** Of the record that attempts made with this claim count for, see `ReceiverRecord`. */
  readonly healthVersion: number;
  /** When the first of those that are not due yet will be, ms from now; null when there are none. */
  readonly nextDueMs: number | null;
}

export interface ClaimedDelivery {
  readonly deliveryId: DeliveryId;
  readonly messageId: MessageId;
  readonly sequence: number;
  /** Null: too large to come along, see `loadPayload`. */
  readonly payload: string | null;
  readonly attemptsMade: number;
  readonly attemptsBeforeResend: number;
}

/** One row for each claimed delivery; for a subscription with none, one row with `deliveryId` null. */
export type ClaimRow = ClaimingSubscription &
  (ClaimedDelivery | { readonly [K in keyof ClaimedDelivery]: null });

/**
 * Claims for many drains at once, for each in order of creation: fresh deliveries are due when they are made.
 * A subscription whose epoch has moved on is missing in the result.
 * One statement for all, because it costs nearly the same for one drain as for fifty, and a commit each would not.
 */
export async function claimDeliveries(
  sql: Sql,
  requests: readonly ClaimRequest[],
  leaseMs: number,
): Promise<ClaimRow[]> {
  return sql<ClaimRow[]>`
    with asked as (
      select * from unnest(
        ${requests.map((each) => each.subscriptionId)}::text[],
        ${requests.map((each) => each.epoch)}::bigint[],
        ${requests.map((each) => each.room)}::int[]) as a(subscription_id, epoch, room)
    ), live as materialized (
      select s.subscription_id, a.epoch, a.room, s.type, s.url, s.max_in_flight, s.secret_encrypted,
        case when s.previous_valid_until > now() then s.previous_secret_encrypted end
          as previous_secret_encrypted,
        s.disabled_reason, s.health_version,
        (select (extract(epoch from d.due_at - now()) * 1000)::float8 from delivery d
          where d.subscription_id = s.subscription_id and d.state = 'pending' and d.due_at > now()
          order by d.due_at limit 1) as next_due_ms
      from asked a join subscription s using (subscription_id)
      where s.drain_epoch = a.epoch
    ), picked as (
      select p.delivery_id, l.epoch
      from live l cross join lateral (
        select d.delivery_id from delivery d
        where d.subscription_id = l.subscription_id and d.state = 'pending' and d.due_at <= now()
          and (d.lease_epoch is distinct from l.epoch or d.lease_until is null or d.lease_until <= now())
        order by d.due_at, d.sequence
        limit l.room
        for no key update skip locked) as p
      where l.disabled_reason is null
    ), claimed as (
      update delivery d
      set lease_epoch = p.epoch, lease_until = now() + ${leaseMs}::int * interval '1 ms'
      from picked p where d.delivery_id = p.delivery_id
      returning d.subscription_id, d.delivery_id, d.message_id, d.sequence, d.due_at,
        case when pg_column_size(d.payload) <= ${INLINE_PAYLOAD_BYTES}::int then d.payload::text end
          as payload,
        d.attempts_made, d.attempts_before_resend
    ), renewed as (
      update subscription s set alive_until = now() + ${ALIVE_SECONDS}::int * interval '1 s'
      where s.subscription_id in (
        select r.subscription_id from subscription r join live l using (subscription_id)
        where r.alive_until is null or r.alive_until < now() + ${RENEW_AT_SECONDS}::int * interval '1 s'
        for no key update of r skip locked)
    )
    select l.subscription_id, l.type, l.url, l.max_in_flight, l.secret_encrypted,
      l.previous_secret_encrypted, l.disabled_reason, l.health_version, l.next_due_ms,
      c.delivery_id, c.message_id, c.sequence, c.payload, c.attempts_made, c.attempts_before_resend
    from live l left join claimed c using (subscription_id)
    order by c.due_at, c.sequence`;
}

/** The payload of one delivery, see `PayloadText`. Undefined when the delivery is gone. */
export async function loadPayload(sql: Sql, deliveryId: DeliveryId): Promise<string | undefined> {
  const [row] = await sql<{ payload: string }[]>`
    select payload::text as payload from delivery where delivery_id = ${deliveryId}`;
  return row?.payload;
}

export interface EndedDrain {
  readonly next: AfterDrain;
  readonly waiting: number;
  readonly waitingSince: string | null;
}

interface EndedRow {
  readonly disabledReason: DisabledReason | null;
  readonly consecutiveFailures: number;
  readonly pausedMs: number | null;
  readonly waiting: number;
  readonly waitingSince: Date | null;
  readonly dueMs: number | null;
}

/** What is left for a subscription when a drain ends, and when. */
export async function surveyAfterDrain(
  sql: Sql,
  subscriptionId: SubscriptionId,
  epoch: number,
): Promise<EndedDrain> {
  const [row] = await sql<EndedRow[]>`
    select s.disabled_reason, s.consecutive_failures,
      (extract(epoch from s.paused_until - now()) * 1000)::float8 as paused_ms, w.*
    from subscription s cross join (
      select count(*) as waiting, min(created_at) as waiting_since,
        (extract(epoch from min(due_at) - now()) * 1000)::float8 as due_ms
      from (
        select created_at, due_at from delivery
        where subscription_id = ${subscriptionId} and state = 'pending'
        order by due_at, sequence limit ${COUNTED_WAITING}) as first) as w
    where s.subscription_id = ${subscriptionId} and s.drain_epoch = ${epoch}::bigint`;
  // The epoch has moved on: whoever raised it does the work.
  if (!row) return { next: { kind: 'idle' }, waiting: 0, waitingSince: null };
  const { waiting, waitingSince } = row;
  return { next: afterDrain(row), waiting, waitingSince: waitingSince?.toISOString() ?? null };
}

function afterDrain(row: EndedRow): AfterDrain {
  if (row.disabledReason !== null) return { kind: 'disabled', reason: row.disabledReason };
  if (row.dueMs === null) return { kind: 'idle' };
  const pausedMs = Math.ceil(row.pausedMs ?? 0);
  const dueMs = Math.ceil(row.dueMs);
  if (pausedMs > 0 && pausedMs >= dueMs) {
    return { kind: 'paused', ms: pausedMs, failures: row.consecutiveFailures };
  }
  return dueMs > 0 ? { kind: 'due_later', ms: dueMs } : { kind: 'again' };
}
