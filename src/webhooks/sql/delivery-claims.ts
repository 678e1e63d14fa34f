import type { ReceiverHealth } from '../attempt/circuit-breaker';
import type { MessageType } from '../platform-events';
import type { DeliveryId, MessageId, SubscriptionId } from '../../platform/ids';
import type { Sql } from '../../platform/db/client';
import { keyIs } from '../../platform/db/key-is';
import type { OwnFaultKind } from '../../platform/outbound/own-faults';
import { wantedSince } from './ended-deliveries';
import { isFree } from './webhook-shards';

/** Larger payloads are loaded one by one: a claim is shared, and 20 payloads of 10 MB would delay all consumers. */
const INLINE_PAYLOAD_BYTES = 65_536;
/** As stored, compressed, which is what Postgres has to read. */
const INLINE_STORED_BYTES = 16_384;

export interface ClaimRequest {
  readonly subscriptionId: SubscriptionId;
  readonly shard: number;
  /** Of the shard, see `shard-owners.ts`. */
  readonly epoch: number;
  /** The most deliveries to claim; at least 1. */
  readonly most: number;
  /**
   * The version of the health on which `most` is based; if it is null or differs from the row's, the row's health
   * counts.
   */
  readonly healthVersion: number | null;
  /**
   * While an earlier claim of this consumer may have taken deliveries of which it has not heard: all that it has.
   * Any other delivery with a lease of its epoch is claimed again.
   */
  readonly held?: readonly string[] | undefined;
}

/** A subscription at the moment of a claim, so a new URL or secret applies to the very next attempt. */
export interface ClaimingSubscription extends ReceiverHealth {
  readonly subscriptionId: SubscriptionId;
  readonly type: MessageType;
  readonly url: string;
  readonly maxInFlight: number;
  /** Null: no limit. */
  readonly maxPerSecond: number | null;
  readonly secretEncrypted: Buffer;
  /** Those that still sign after rotations, newest first; null without any. */
  readonly earlierSecretsEncrypted: readonly Buffer[] | null;
  /** Headers that the receiver wants with each request; null without any. */
  readonly headersEncrypted: Buffer | null;
  /** The health record to which attempts of this claim count, see `ReceiverRecord`. */
  readonly healthVersion: number;
  /** What its row says of trouble of ours, see `writeOwnFault`. */
  readonly ownFault: OwnFaultKind | null;
  /** How many deliveries could have been claimed: `most`, or fewer if the receiver's health requires it. */
  readonly granted: number;
  /** When the first delivery that is not due yet becomes due, ms from now; null if there is none. */
  readonly nextDueMs: number | null;
}

export interface ClaimedDelivery {
  readonly deliveryId: DeliveryId;
  readonly messageId: MessageId;
  readonly sequence: number;
  /** Null: too large for the claim, see `loadPayload`. */
  readonly payload: string | null;
  /** Size of the payload as text. */
  readonly payloadBytes: number;
  readonly attemptsMade: number;
  readonly attemptsBeforeResend: number;
  /** The receiver's latest answer, and its words; null without any. */
  readonly receiverStatus: number | null;
  readonly message: string | null;
  /** The trace of the request that made it. */
  readonly traceParent: string | null;
}

/** One row for each claimed delivery; a subscription without any has one row with `deliveryId` null. */
export type ClaimRow = ClaimingSubscription &
  (ClaimedDelivery | { readonly [K in keyof ClaimedDelivery]: null });

/**
 * Claims for many subscriptions at once, for each by due time, which of fresh deliveries is the time when they were
 * made. A subscription whose shard has another owner by now is missing from the result. One statement for all
 * costs nearly as little as for one, and needs a single commit.
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
        ${requests.map((each) => each.shard)}::smallint[],
        ${requests.map((each) => each.epoch)}::bigint[],
        ${requests.map((each) => each.most)}::int[],
        ${requests.map((each) => each.healthVersion)}::int[],
        ${requests.map((each) => each.held?.join(' ') ?? null)}::text[])
        as a(subscription_id, shard, epoch, most, health_version, held)
    ), live as materialized (
      select s.subscription_id, a.epoch, string_to_array(a.held, ' ') as held, s.type, s.url, s.max_in_flight, s.max_per_second,
        s.secret_encrypted, s.headers_encrypted,
        case when s.previous_valid_until > now() then (
          select array_agg(e.secret_encrypted order by e.replaced_at desc) from earlier_secret e
          where e.subscription_id = s.subscription_id and e.valid_until > now()) end
          as earlier_secrets_encrypted,
        -- A consumer keeps its own record of the receiver while the version is the same: whoever pauses or frees a
        -- subscription from outside raises it.
        case when s.disabled_reason is not null then 0
          when a.health_version = s.health_version then a.most
          when s.paused_until > now() then 0
          when s.paused_until is not null or s.max_per_second is not null then 1
          else least(a.most, s.max_in_flight) end as granted,
        s.health_version, s.consecutive_failures, s.pause_asked as is_pause_asked, s.disabled_reason, s.own_fault,
        (extract(epoch from s.failing_since) * 1000)::float8 as failing_since,
        (extract(epoch from s.paused_until) * 1000)::float8 as paused_until,
        (select (extract(epoch from d.due_at - now()) * 1000)::float8 from delivery d
          where d.subscription_id = s.subscription_id and d.due_at > now()
          order by d.due_at limit 1) as next_due_ms,
        -- Of a webhook that was deleted and made again: the sweep may not have discarded all of them yet.
        (select max(o.ordered_at) from discard_order o
          where o.subscription_id = s.subscription_id and o.store_id is null) as discarded_to
      from asked a join webhook_shard w on w.shard = a.shard and w.epoch = a.epoch
        join subscription s using (subscription_id)
    ), picked as (
      select p.delivery_id, l.epoch
      from live l cross join lateral (
        select d.delivery_id from delivery d
        where d.subscription_id = l.subscription_id and d.due_at <= now()
          and (${isFree(sql, sql`l.epoch`)}
            or (d.lease_epoch = l.epoch and d.delivery_id <> all(l.held)))
          and (l.discarded_to is null or ${wantedSince(sql)} > l.discarded_to)
          -- True of all of these, as none is due before it is wanted. The index can begin there, not among those to
          -- discard.
          and d.due_at > coalesce(l.discarded_to, '-infinity')
        order by d.due_at, d.sequence
        limit l.granted
        for no key update skip locked) as p
    ), claimed as (
      update delivery d
      set lease_epoch = p.epoch, lease_until = now() + ${leaseMs}::int * interval '1 ms'
      from picked p where ${keyIs(sql, sql`d.delivery_id`, sql`p.delivery_id`)}
      returning d.subscription_id, d.delivery_id, d.message_id, d.sequence, d.due_at,
        d.payload_bytes,
        case when d.payload_bytes <= ${INLINE_PAYLOAD_BYTES}::int
            and pg_column_size(d.payload) <= ${INLINE_STORED_BYTES}::int then d.payload::text end
          as payload,
        d.attempts_made, d.attempts_before_resend, d.receiver_status, d.message, d.trace_parent
    )
    select l.subscription_id, l.type, l.url, l.max_in_flight, l.max_per_second, l.secret_encrypted,
      l.earlier_secrets_encrypted, l.headers_encrypted, l.granted, l.health_version,
      l.consecutive_failures, l.own_fault,
      l.disabled_reason, l.failing_since, l.paused_until, l.is_pause_asked, l.next_due_ms, c.delivery_id, c.message_id,
      c.sequence, c.payload_bytes, c.payload, c.attempts_made, c.attempts_before_resend, c.receiver_status, c.message,
      c.trace_parent
    from live l left join claimed c using (subscription_id)
    order by c.due_at, c.sequence`;
}

/** The payload of one delivery, see `PayloadText`. Undefined when the delivery is gone. */
export async function loadPayload(sql: Sql, deliveryId: DeliveryId): Promise<string | undefined> {
  const [row] = await sql<{ payload: string }[]>`
    select payload::text as payload from delivery where delivery_id = ${deliveryId}`;
  return row?.payload;
}

/** Whether the consumer with this epoch still has its shard, and its lease of the delivery. */
export async function isStillClaimed(
  sql: Sql,
  deliveryId: DeliveryId,
  epoch: number,
): Promise<boolean> {
  const rows = await sql`
    select from delivery d
    where d.delivery_id = ${deliveryId} and d.lease_epoch = ${epoch}::bigint
      and exists (select from webhook_shard w where w.epoch = d.lease_epoch)`;
  return rows.length > 0;
}
