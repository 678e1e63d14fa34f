import { performance } from 'node:perf_hooks';
import { coalesce } from '../../platform/db/coalesce';
import { createClaimSize } from './claim-size';
import type { Sql } from '../../platform/db/client';
import {
  type ClaimedDelivery,
  type ClaimingSubscription,
  type ClaimRequest,
  type ClaimRow,
  claimDeliveries,
} from '../sql/delivery-claims';
import type { SubscriptionId } from '../../platform/ids';

/** The result of a claim for one consumer. */
export interface Claim {
  readonly subscription: ClaimingSubscription;
  /** In the order in which they must start. */
  readonly deliveries: readonly ClaimedDelivery[];
  /** True if it got as many as it asked for. */
  readonly mayHaveMore: boolean;
  /** When the claim was requested, by `performance.now()`; the lease runs from then on. */
  readonly askedAt: number;
}

export interface ClaimerOptions {
  readonly sql: Sql;
  readonly leaseMs: number;
}

/**
 * Claims deliveries, batched with all concurrent requests. Undefined: the shard has another owner. Rejects when
 * Postgres does not answer.
 */
export type Claimer = (request: ClaimRequest) => Promise<Claim | undefined>;

const REQUESTS_PER_CLAIM = 100;
/**
 * About how many deliveries one statement claims, which takes a few milliseconds. Shared evenly, so that a full queue
 * never crowds out a short one.
 */
const DELIVERIES_PER_CLAIM = 200;
const LEAST_SHARE = 4;
const LEAST_SHARE_WHEN_SLOW = 1;

export function createClaimer({ sql, leaseMs }: ClaimerOptions): Claimer {
  const size = createClaimSize(DELIVERIES_PER_CLAIM);

  async function claim(asked: readonly ClaimRequest[]): Promise<(Claim | undefined)[]> {
    await size.ready();
    const most = size.most();
    const least = most < DELIVERIES_PER_CLAIM ? LEAST_SHARE_WHEN_SLOW : LEAST_SHARE;
    const share = Math.max(least, Math.floor(most / asked.length));
    const askedAt = performance.now();
    const requests = asked.map((each) => ({ ...each, most: Math.min(each.most, share) }));
    const rows = bySubscription(await claimDeliveries(sql, requests, leaseMs));
    size.answered();
    return requests.map(({ subscriptionId }) => toClaim(rows.get(subscriptionId) ?? [], askedAt));
  }
  return coalesce(claim, { most: REQUESTS_PER_CLAIM });
}

function bySubscription(rows: readonly ClaimRow[]): Map<SubscriptionId, ClaimRow[]> {
  const groups = new Map<SubscriptionId, ClaimRow[]>();
  for (const row of rows) {
    const group = groups.get(row.subscriptionId);
    if (group) group.push(row);
    else groups.set(row.subscriptionId, [row]);
  }
  return groups;
}

function toClaim(rows: readonly ClaimRow[], askedAt: number): Claim | undefined {
  const [subscription] = rows;
  if (subscription === undefined) return undefined;
  const deliveries = rows.filter((row) => row.deliveryId !== null);
  const mayHaveMore = deliveries.length > 0 && deliveries.length === subscription.granted;
  return { subscription, deliveries, mayHaveMore, askedAt };
}
