import type { PendingQuery, Row } from 'postgres';
import type { Sql } from '../../platform/db/client';
import type { DeliveryId, SubscriptionId } from '../../platform/ids';
import { messageIdOf } from '../delivery-ids';
import type { MessageType } from '../platform-events';
import type { ClaimedDelivery, ClaimingSubscription } from './delivery-claims';

/*
 * A direct claim: a delivery of a quiet subscription is claimed by the statement that writes it, for the drain of its
 * line, and the announcement carries all that a claim would return. So a lone event takes two statements and two
 * commits instead of three (docs/decisions/0036-a-lone-event-is-claimed-as-it-is-written.md). Such a delivery has a
 * `lease_epoch` but no `lease_until`: an announcement may get lost, so the drain may still claim it as any other.
 */

/** What a drain needs to send a delivery that was claimed for it. */
export interface DirectClaim {
  /** The drain for which it was claimed; to any other it is a plain announcement. */
  readonly epoch: number;
  /** When it was written, by the database's clock, ms since the epoch. */
  readonly madeAt: number;
  readonly subscription: ClaimingSubscription;
  readonly delivery: ClaimedDelivery;
}

/** Larger payloads are claimed later: an announcement has room for 8,000 bytes, and quotes are escaped in it. */
const MOST_PAYLOAD_CHARACTERS = 4_000;
/** Postgres refuses an announcement of 8,000 bytes, and with it the whole statement. */
const MOST_ANNOUNCED_BYTES = 7_800;

interface WrittenRow {
  readonly deliveryId: DeliveryId;
  readonly delivery: { readonly subscriptionId: SubscriptionId; readonly payload: string };
}

/**
 * The query named `direct`: those rows of the query `given` that get a direct claim, each with this claim as JSON
 * (`announced`). Only for a receiver that works and has no rate limit, while its line has a drain and nothing else of
 * it waits: so order, room in flight and pauses are never in question. It avoids `exists`, which Postgres may answer by
 * reading all that waits.
 */
export function directClaims(sql: Sql, rows: readonly WrittenRow[]): PendingQuery<Row[]> {
  return sql`direct as materialized (
    select * from (
      select g.delivery_id, s.subscription_id, w.epoch,
        json_build_object('epoch', w.epoch, 'madeAt', (extract(epoch from now()) * 1000)::float8, 'type', s.type,
          'url', s.url, 'maxInFlight', s.max_in_flight, 'healthVersion', s.health_version,
          'secret', encode(s.secret_encrypted, 'base64'),
          'previousSecret', case when s.previous_valid_until > now() then encode(s.previous_secret_encrypted, 'base64') end,
          'headers', encode(s.headers_encrypted, 'base64'),
          'deliveryId', g.delivery_id, 'sequence', g.sequence, 'payload', g.payload,
          'payloadBytes', octet_length(g.payload), 'traceParent', g.trace_parent)::text as announced
      from given g join subscription s using (subscription_id) join webhook_line w using (line)
      where g.delivery_id = any(${smallAndAlone(rows)}::text[]) and w.alive_until > now() and s.state = 'enabled' and s.paused_until is null
        and s.consecutive_failures = 0 and s.max_per_second is null
        and (select d.delivery_id from delivery d where d.subscription_id = s.subscription_id
          order by d.due_at limit 1) is null
    ) as quiet
    where octet_length(announced) <= ${MOST_ANNOUNCED_BYTES}::int
  )`;
}

/** Of the rows that one statement writes, the small ones that are the only one of their subscription. */
function smallAndAlone(rows: readonly WrittenRow[]): DeliveryId[] {
  const counts = new Map<SubscriptionId, number>();
  for (const { delivery } of rows) {
    counts.set(delivery.subscriptionId, (counts.get(delivery.subscriptionId) ?? 0) + 1);
  }
  return rows
    .filter(({ delivery }) => counts.get(delivery.subscriptionId) === 1)
    .filter(({ delivery }) => delivery.payload.length <= MOST_PAYLOAD_CHARACTERS)
    .map((row) => row.deliveryId);
}

/** A direct claim as JSON, in an announcement. */
interface AnnouncedClaim {
  readonly epoch: number;
  readonly madeAt: number;
  readonly type: MessageType;
  readonly url: string;
  readonly maxInFlight: number;
  readonly healthVersion: number;
  /** Sealed, as base64, like the two below. */
  readonly secret: string;
  readonly previousSecret: string | null;
  readonly headers: string | null;
  readonly deliveryId: DeliveryId;
  readonly sequence: number;
  readonly payload: string;
  readonly payloadBytes: number;
  readonly traceParent: string | null;
}

/** Whoever may connect to the database can announce anything; what is no JSON is a plain announcement. */
export function readDirectClaim(
  subscriptionId: SubscriptionId,
  text: string,
): DirectClaim | undefined {
  try {
    // Written by `directClaims`.
    return toDirectClaim(subscriptionId, JSON.parse(text) as AnnouncedClaim);
  } catch {
    return undefined;
  }
}

function toDirectClaim(subscriptionId: SubscriptionId, announced: AnnouncedClaim): DirectClaim {
  const { epoch, madeAt, type, url, maxInFlight, healthVersion } = announced;
  const { deliveryId, sequence, payload, payloadBytes, traceParent } = announced;
  return {
    epoch,
    madeAt,
    subscription: {
      subscriptionId,
      type,
      url,
      maxInFlight,
      healthVersion,
      maxPerSecond: null,
      secretEncrypted: Buffer.from(announced.secret, 'base64'),
      previousSecretEncrypted: toBuffer(announced.previousSecret),
      headersEncrypted: toBuffer(announced.headers),
      moved: false,
      isHeldElsewhere: false,
      granted: 1,
      nextDueMs: null,
      consecutiveFailures: 0,
      failingSince: null,
      pausedUntil: null,
      disabledReason: null,
    },
    delivery: {
      deliveryId,
      messageId: messageIdOf(deliveryId),
      sequence,
      payload,
      payloadBytes,
      attemptsMade: 0,
      attemptsBeforeResend: 0,
      receiverStatus: null,
      message: null,
      traceParent,
    },
  };
}

function toBuffer(base64: string | null): Buffer | null {
  return base64 === null ? null : Buffer.from(base64, 'base64');
}
