import type { Sql, Transaction } from '../../platform/db/client';
import { onlyRow } from '../../platform/db/only-row';
import { sqlState } from '../../platform/db/is-data-refused';

/*
 * Partitions of `ended_delivery` by the time of the end. They are named by their first day and the day after their
 * last, in UTC: ended_delivery_20261122_20261123. Days are numbered from 1970 on.
 */

interface Partition {
  readonly name: string;
  readonly from: number;
  readonly to: number;
  /** False: a drop was interrupted after its first half. */
  readonly isAttached: boolean;
}

const DAY_MS = 86_400_000;
/** Partitions exist this many days ahead, so the sweep may stand still for that long. */
const DAYS_AHEAD = 3;
/** A list reads every partition, so they get wider with the retention. */
const MOST_PARTITIONS = 30;
/** At most this many rows are moved from the default partition to a new one. */
const MOVED_AT_MOST = 10_000;
/** A statement that waits for these locks holds up all others behind it. If refused, the next sweep tries again. */
const LOCK_TIMEOUT = '50ms';
const LOCK_NOT_AVAILABLE = '55P03';

/**
 * Makes partitions ahead and drops those whose rows all ended before the retention (`days`), each in milliseconds
 * at any size; returns how many were dropped. A partition is wide enough that 30 of them cover the retention,
 * so a row may stay that much longer. Undefined if a lock was held for too long; the next sweep tries again.
 *
 * Postgres reads the default partition whenever one is made, 0.3 ms for each thousand rows. It is empty unless the
 * sweep stood still for days.
 */
export async function keepEndedPartitions(sql: Sql, days: number): Promise<number | undefined> {
  const today = await findToday(sql);
  const partitions = await listPartitions(sql);
  const expired = partitions.filter(({ to }) => to <= today - days);
  try {
    await makeAhead(sql, today, Math.ceil(days / MOST_PARTITIONS), partitions);
    for (const partition of expired) await dropPartition(sql, partition);
    return expired.length;
  } catch (error) {
    if (sqlState(error) === LOCK_NOT_AVAILABLE) return undefined;
    throw error;
  }
}

async function findToday(sql: Sql): Promise<number> {
  const rows = await sql<{ today: number }[]>`
    select floor(extract(epoch from now()) / 86400)::int as today`;
  return onlyRow(rows).today;
}

async function listPartitions(sql: Sql): Promise<Partition[]> {
  const rows = await sql<{ name: string; isAttached: boolean }[]>`
    select c.relname::text as name, c.relispartition as is_attached from pg_class c
    where c.relkind = 'r' and c.relname like 'ended\\_delivery\\_%' and pg_table_is_visible(c.oid)`;
  return rows.flatMap(({ name, isAttached }) => {
    const [, from, to] = /^ended_delivery_(\d{8})_(\d{8})$/.exec(name) ?? [];
    return from && to ? [{ name, from: dayOf(from), to: dayOf(to), isAttached }] : [];
  });
}

async function makeAhead(
  sql: Sql,
  today: number,
  width: number,
  partitions: readonly Partition[],
): Promise<void> {
  let from = Math.max(today, ...partitions.map(({ to }) => to));
  for (; from <= today + DAYS_AHEAD; from += width) await makePartition(sql, from, from + width);
}

/**
 * Makes the partition of the days from `from` until before `to`, unless another process is doing so. Moves its rows
 * out of the default partition; if there are too many, it makes no partition.
 */
export async function makePartition(sql: Sql, from: number, to: number): Promise<void> {
  const name = `ended_delivery_${textOf(from)}_${textOf(to)}`;
  const first = new Date(from * DAY_MS).toISOString();
  const end = new Date(to * DAY_MS).toISOString();
  await sql.begin(async (tx) => {
    if (!(await takeLock(tx))) return;
    const [row] = await tx<{ left: number; made: boolean }[]>`
      select to_regclass(${name}) is not null as made, count(*)::int as left from (
        select from ended_delivery_default
        where finished_at >= ${first}::timestamptz and finished_at < ${end}::timestamptz
        limit ${MOVED_AT_MOST + 1}) as found`;
    if (!row || row.made || row.left > MOVED_AT_MOST) return;
    await tx.unsafe(`create table ${name} (like ended_delivery including all)`);
    await tx.unsafe(`
      with moved as (
        delete from ended_delivery_default where finished_at >= '${first}' and finished_at < '${end}' returning *
      )
      insert into ${name} select * from moved`);
    await tx.unsafe(
      `alter table ended_delivery attach partition ${name} for values from ('${first}') to ('${end}')`,
    );
  });
}

/** In two halves: only the first one makes others wait, and it does not touch the files. */
async function dropPartition(sql: Sql, { name, isAttached }: Partition): Promise<void> {
  if (isAttached) {
    const isDetached = await sql.begin(async (tx) => {
      if (!(await takeLock(tx))) return false;
      await tx.unsafe(`alter table ended_delivery detach partition ${name}`);
      return true;
    });
    if (!isDetached) return;
  }
  await sql.unsafe(`drop table if exists ${name}`);
}

/** False: another process has the lock, and works on the partitions. */
async function takeLock(tx: Transaction): Promise<boolean> {
  await tx.unsafe(`set local lock_timeout = '${LOCK_TIMEOUT}'`);
  const rows = await tx<{ mine: boolean }[]>`
    select pg_try_advisory_xact_lock(hashtextextended('pos-integrations:partitions', 0)) as mine`;
  return onlyRow(rows).mine;
}

function dayOf(text: string): number {
  const iso = `${text.slice(0, 4)}-${text.slice(4, 6)}-${text.slice(6)}`;
  return Math.floor(Date.parse(iso) / DAY_MS);
}

function textOf(day: number): string {
  return new Date(day * DAY_MS).toISOString().slice(0, 10).replaceAll('-', '');
}
