import type { PendingQuery, Row } from 'postgres';
import type { Sql } from '../../platform/db/client';
import { maySweepAtOnce } from '../../platform/queue/lease';
import { onlyRow } from '../../platform/db/only-row';

/*
 * Which worker has a shard. Its row names the worker, and each change of hands gives it a higher epoch, which all
 * statements of its consumer carry: once the shard has a higher one, they claim and record nothing more. So a process
 * that was thought dead and wakes up cannot disturb its successor, and the successor need not wait for the leases of
 * single deliveries to end.
 *
 * A worker holds all its shards by one lease, that of its own row, which it renews. It is gone when the lease is over,
 * as it is for a frozen process, or when the server has ended the session that its advisory lock hangs on, as it does
 * at once for a process that was killed.
 */

/**
 * The row of a worker that has been gone for so long is removed, if it stands in no shard: after a long outage of Postgres
 * its shards would be free for whoever comes back first.
 */
const FORGOTTEN_SECONDS = 60;

/** Each change of a shard's owner is announced here, so that a worker with fewer shards takes it at once. */
export const SHARDS_FREE = 'webhook_shards_free';

/** A shard in the hands of one worker. After a failover, two shards may have the same epoch. */
export interface OwnedShard {
  readonly shard: number;
  readonly epoch: number;
}

export interface Worker {
  /** A UUID, new for each process. */
  readonly id: string;
  /** For people. */
  readonly name: string;
}

/** What a worker finds when it renews its lease. */
export interface RenewedLease {
  /** The database's clock, ms since the epoch. */
  readonly now: number;
  readonly owned: readonly OwnedShard[];
  /** Other workers that share the shards. */
  readonly living: number;
  /** Workers that are gone, and may still stand in shards. */
  readonly gone: readonly string[];
  /** Whether there is a shard that has no worker. */
  readonly hasFree: boolean;
  /** All that there are. */
  readonly shards: number;
}

/** The statement for the session that shows that this worker lives: see `listenAsConfigured`. */
export const lockStatement = ({ id }: Worker): string =>
  `select pg_advisory_lock_shared(hashtextextended('webhook worker ' || '${id}', 0))`;

/** Whether worker `w` is gone. Several sessions of a living one may have its lock, and whoever looks has it for a moment. */
const isGone = (sql: Sql): PendingQuery<Row[]> => sql`case when w.lease_until <= now() then true
  else pg_try_advisory_xact_lock(hashtextextended('webhook worker ' || w.worker, 0)) end`;

/**
 * Renews the lease of a worker; `leaving`: it takes no shards any more. Not flushed to disk: a lease that a crash of the
 * server forgets is over by the time the server is back.
 */
export async function renewLease(
  sql: Sql,
  worker: Worker,
  leaseMs: number,
  leaving: boolean,
): Promise<RenewedLease> {
  const rows = await sql<RenewedLease[]>`
    with unflushed as materialized (select set_config('synchronous_commit', 'off', true)),
    renewed as (
      insert into webhook_worker (worker, name, lease_until, leaving)
      select ${worker.id}::uuid, ${worker.name}::text, now() + ${leaseMs}::int * interval '1 ms', ${leaving}::boolean
      from unflushed
      on conflict (worker) do update set lease_until = excluded.lease_until, leaving = excluded.leaving
    ), other as materialized (
      select w.worker, w.leaving, ${isGone(sql)} as is_gone
      from webhook_worker w where w.worker <> ${worker.id}::uuid
    ), forgotten as (
      delete from webhook_worker w
      where w.lease_until < now() - ${FORGOTTEN_SECONDS}::int * interval '1 s' and w.worker <> ${worker.id}::uuid
        and not exists (select from webhook_shard s where s.worker = w.worker)
    ), shard as materialized (
      select s.shard, s.epoch, s.worker, w.worker is null as is_free
      from webhook_shard s left join webhook_worker w using (worker)
    )
    select (extract(epoch from clock_timestamp()) * 1000)::float8 as now,
      coalesce((select json_agg(json_build_object('shard', shard, 'epoch', epoch)) from shard
        where worker = ${worker.id}::uuid), '[]') as owned,
      (select count(*)::int from other where not is_gone and not leaving) as living,
      array(select worker::text from other where is_gone) as gone,
      coalesce((select bool_or(is_free and worker is distinct from ${worker.id}::uuid) from shard), false) as has_free,
      (select count(*)::int from shard) as shards`;
  return onlyRow(rows);
}

/** Takes at most so many shards that no worker has, or one of these that are gone; returns those taken. */
export async function takeShards(
  sql: Sql,
  worker: Worker,
  { most, gone }: { readonly most: number; readonly gone: readonly string[] },
): Promise<readonly OwnedShard[]> {
  return sql<OwnedShard[]>`
    update webhook_shard set worker = ${worker.id}::uuid, epoch = nextval('webhook_epoch'),
      ${maySweepAtOnce(sql)}
    where shard in (
      select s.shard from webhook_shard s left join webhook_worker w using (worker)
      where w.worker is null or (w.worker = any(${[...gone]}::uuid[]) and ${isGone(sql)})
      order by s.shard limit ${most}::int
      for no key update of s skip locked)
    returning shard::int, epoch`;
}

/** Gives a shard back, and tells the others. Nothing changes if it has another owner by now. */
export async function releaseShard(sql: Sql, { shard, epoch }: OwnedShard): Promise<void> {
  await sql`
    with released as (
      update webhook_shard set worker = null
      where shard = ${shard}::smallint and epoch = ${epoch}::bigint returning shard
    )
    select pg_notify(${SHARDS_FREE}, shard::text) from released`;
}

/** Ends the lease: whatever it still has is free. */
export async function endLease(sql: Sql, { id }: Worker): Promise<void> {
  await sql`
    with ended as (delete from webhook_worker where worker = ${id}::uuid returning worker)
    select pg_notify(${SHARDS_FREE}, '') from ended`;
}
