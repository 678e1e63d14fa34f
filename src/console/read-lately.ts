import type { Sql } from '../platform/db/client';
import type { Viewer } from '../users/sql/users';
import { countDeliveriesOfHour, type DeliveriesOfMinute } from './sql/deliveries-of-hour';
import { countUploadsOfDay, type UploadCount } from './sql/overview';

const MINUTE_MS = 60_000;
/** Viewers whose figures are kept in a process. */
const MOST_KEPT = 200;

/** What happened lately in what a viewer sees. */
export interface Lately {
  readonly countedAt: Date;
  readonly deliveries: readonly DeliveriesOfMinute[];
  readonly uploads: readonly UploadCount[];
}

interface Kept {
  readonly minute: number;
  readonly lately: Promise<Lately>;
}

/** By pool, as a process of tests has several. */
const keptOf = new WeakMap<Sql, Map<string, Kept>>();

/**
 * The figures of the overview's plots, counted once a minute for a viewer in a process: their bars are minutes, they are
 * most of what the page costs, and the page asks every ten seconds whether it has changed.
 */
export function readLately(sql: Sql, viewer: Viewer): Promise<Lately> {
  const kept = keptOf.get(sql) ?? new Map<string, Kept>();
  keptOf.set(sql, kept);
  const key = `${viewer.userId} ${viewer.seesAll}`;
  const minute = Math.floor(Date.now() / MINUTE_MS);
  const found = kept.get(key);
  if (found?.minute === minute) return found.lately;
  kept.delete(key);
  const [oldest] = kept.keys();
  if (kept.size >= MOST_KEPT && oldest !== undefined) kept.delete(oldest);
  const lately = count(sql, viewer).catch((error: unknown) => {
    if (kept.get(key)?.lately === lately) kept.delete(key);
    throw error;
  });
  kept.set(key, { minute, lately });
  return lately;
}

async function count(sql: Sql, viewer: Viewer): Promise<Lately> {
  const countedAt = new Date();
  const [deliveries, uploads] = await Promise.all([
    countDeliveriesOfHour(sql, viewer),
    countUploadsOfDay(sql, viewer),
  ]);
  return { countedAt, deliveries, uploads };
}
