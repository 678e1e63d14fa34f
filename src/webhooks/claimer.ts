import { performance } from 'node:perf_hooks';
import type { Sql } from '../db/client';
import {
  type ClaimedDelivery,
  type ClaimingSubscription,
  type ClaimRow,
  claimDeliveries,
} from '../db/delivery-claims';
import type { SubscriptionId } from '../ids';
import { createDueTurns } from './due-turns';

/** What one drain got. Undefined: another drain has taken over. */
export interface Claim {
  readonly subscription: ClaimingSubscription;
  /** In the order in which they are to start. */
  readonly deliveries: readonly ClaimedDelivery[];
  /** It got all that it was allowed. */
  readonly mayHaveMore: boolean;
  /** When it was asked for, by `performance.now()`: from then on the lease runs. */
  readonly askedAt: number;
}

export interface ClaimerOptions {
  readonly sql: Sql;
  readonly leaseMs: number;
}

export interface Claimer {
  /** Claims up to `room` deliveries together with whoever else asks at this moment; rejects when Postgres does not answer. */
  claim(subscriptionId: SubscriptionId, epoch: number, room: number): Promise<Claim | undefined>;
}

interface ClaimParty {
  readonly subscriptionId: SubscriptionId;
  readonly epoch: number;
  readonly room: number;
  resolve(claim: Claim | undefined): void;
  reject(error: unknown): void;
}

const LANES = 2;
const MAX_PARTIES = 100;
/** Deliveries in one statement, about: some milliseconds. Shared evenly, so that a full queue never shuts out a short one. */
const DELIVERIES_PER_CLAIM = 200;
const LEAST_SHARE = 4;

export function createClaimer({ sql, leaseMs }: ClaimerOptions): Claimer {
  const turns = createDueTurns<ClaimParty>({ lanes: LANES, maxParties: MAX_PARTIES, run });

  async function run(parties: readonly ClaimParty[]): Promise<void> {
    const askedAt = performance.now();
    const share = Math.max(LEAST_SHARE, Math.floor(DELIVERIES_PER_CLAIM / parties.length));
    const requests = parties.map(({ subscriptionId, epoch, room }) => ({
      subscriptionId,
      epoch,
      room: Math.min(room, share),
    }));
    try {
      const rows = bySubscription(await claimDeliveries(sql, requests, leaseMs));
      parties.forEach((party, index) => {
        const room = requests[index]?.room ?? 0;
        party.resolve(toClaim(rows.get(party.subscriptionId), room, askedAt));
      });
    } catch (error) {
      for (const party of parties) party.reject(error);
    }
  }

  return {
    claim: (subscriptionId, epoch, room) =>
      new Promise((resolve, reject) => {
        turns.request({ subscriptionId, epoch, room, resolve, reject });
      }),
  };
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

function toClaim(
  rows: readonly ClaimRow[] | undefined,
  room: number,
  askedAt: number,
): Claim | undefined {
  const [subscription] = rows ?? [];
  if (rows === undefined || subscription === undefined) return undefined;
  const deliveries = rows.filter((row) => row.deliveryId !== null);
  const mayHaveMore = room > 0 && deliveries.length === room;
  return { subscription, deliveries, mayHaveMore, askedAt };
}
