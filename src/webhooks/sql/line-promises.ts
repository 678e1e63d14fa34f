import type { Sql } from '../../platform/db/client';
import { onlyRow } from '../../platform/db/only-row';

/*
 * Which drain has a line: its epoch (see `webhook-lines.ts`), its promise to look again, and the workers that share
 * the lines. `alive_until` of a line is
 *
 * - a time: its drain has promised to look again until then, and may renew the promise even after that;
 * - `-infinity`: that promise has expired long ago and is forgotten, but its drain may renew it all the same, because
 *   it may be alive after an outage in which nobody could renew anything;
 * - null: the promise is withdrawn, or there never was one; it cannot be renewed.
 */

/**
 * How long a drain's promise to look again holds without renewal; its process renews it every `RENEW_MS`. An expired
 * promise lets another drain begin. So this decides how long the deliveries of a dead process wait, and how long a
 * living process may freeze without being replaced.
 */
export const ALIVE_MS = 1_500;
export const RENEW_MS = 500;
/**
 * While no line has a drain there is nothing to renew, and workers look this often: a drain that begins and dies
 * meanwhile is still found dead within 3 s.
 */
export const QUIET_RENEW_MS = 2_000;
/** Meanwhile a worker writes its row only this often: each write would wake the writer of Postgres' log for 10 s. */
const QUIET_WRITE_MS = 30_000;
/** How long a handed-over line is reserved for other workers: several tries of Temporal to find one. */
const OFFERED_MS = 2_000;
/** A promise that expired this long ago is forgotten: its line no longer counts as one that needs a drain. */
const FORGOTTEN_SECONDS = 60;

export interface BegunLine {
  readonly epoch: number;
  /** The database's clock, ms since the epoch. */
  readonly now: number;
}

/** The worker that wants to start a drain. */
export interface BeginningWorker {
  readonly worker: string;
  /** It has less than its share of the lines, so it may take one that was handed over. */
  readonly hasRoom: boolean;
}

/**
 * Why a drain cannot begin. `alive`: another drain's promise still holds. `offered`: the line is reserved for workers
 * with room, and this worker has none.
 */
export type LineRefusal = 'alive' | 'offered';

/** Makes this drain the only one of its line. */
export async function beginLine(
  sql: Sql,
  line: number,
  { worker, hasRoom }: BeginningWorker,
): Promise<BegunLine | LineRefusal> {
  const [row] = await sql<BegunLine[]>`
    update webhook_line set epoch = nextval('webhook_epoch'), sweeps = 0, next_sweep_at = now(),
      alive_until = now() + ${ALIVE_MS}::int * interval '1 ms', worker = ${worker}::uuid, offered_until = null
    where line = ${line}::smallint and coalesce(alive_until <= now(), true)
      and (${hasRoom}::boolean or coalesce(offered_until <= now(), true))
    returning epoch, (extract(epoch from clock_timestamp()) * 1000)::float8 as now`;
  if (row) return row;
  if (hasRoom) return 'alive';
  const offered = await sql`
    select from webhook_line where line = ${line}::smallint and offered_until > now()`;
  return offered.length > 0 ? 'offered' : 'alive';
}

/** Renews the promise to look again after it was withdrawn. False: another drain has the line. */
export async function promiseLine(sql: Sql, line: number, epoch: number): Promise<boolean> {
  const rows = await sql`
    update webhook_line set alive_until = now() + ${ALIVE_MS}::int * interval '1 ms'
    where line = ${line}::smallint and epoch = ${epoch}::bigint returning line`;
  return rows.length > 0;
}

/**
 * Withdraws the promise to look again. A row written after this statement sees that no drain is alive, so its writer
 * sends a signal. A row written before it is found by a later look, a little later because rows are written without a
 * lock on the line. False: another drain has the line.
 */
export async function restLine(sql: Sql, line: number, epoch: number): Promise<boolean> {
  const rows = await sql`
    update webhook_line set alive_until = null
    where line = ${line}::smallint and epoch = ${epoch}::bigint returning line`;
  return rows.length > 0;
}

/** Withdraws the promise for good, and reserves the line for a worker with room for `OFFERED_MS`. */
export async function offerLine(sql: Sql, line: number, epoch: number): Promise<void> {
  await sql`
    update webhook_line set alive_until = null,
      offered_until = now() + ${OFFERED_MS}::int * interval '1 ms'
    where line = ${line}::smallint and epoch = ${epoch}::bigint`;
}

/** Which drain of which line. After a failover, drains of two lines may have the same epoch. */
export interface LineEpoch {
  readonly line: number;
  readonly epoch: number;
}

export interface WatchedLines {
  /** The database's clock, ms since the epoch. */
  readonly now: number;
  /** Those of the requested lines that no other drain has taken: they still have the requested epoch. */
  readonly kept: readonly number[];
  /** Those of the requested lines whose promise was renewed. A line that is kept but not renewed has none. */
  readonly renewed: readonly number[];
  /** Lines whose promise had expired before this statement renewed any. */
  readonly lapsed: readonly LineEpoch[];
  /** Lines that have a drain or need one. */
  readonly lines: number;
  /** Other processes that take lines. While no line has a drain they write rarely, and hardly ever count. */
  readonly others: number;
  /** No other process takes lines, nor looks now and then whether there is one to take. */
  readonly isAlone: boolean;
}

/** What a worker sees that looks while no line has a drain. */
export interface QuietLook extends Pick<WatchedLines, 'now' | 'isAlone'> {
  /** Still no line has a drain or needs one, and the worker's row is of use for a while; otherwise it renews. */
  readonly isQuiet: boolean;
}

/** Whether there is anything to renew, for a worker that had nothing to renew. Writes nothing. */
export async function lookQuietly(sql: Sql, worker: string): Promise<QuietLook> {
  const rows = await sql<QuietLook[]>`
    select (extract(epoch from clock_timestamp()) * 1000)::float8 as now,
      not exists (select from webhook_line where ${isAtWork(sql)}) and exists (
        select from webhook_worker
        where worker = ${worker}::uuid and looks_until > now() + ${QUIET_RENEW_MS}::int * interval '1 ms'
      ) as is_quiet,
      ${alone(sql, worker)} as is_alone`;
  return onlyRow(rows);
}

/** A line has a drain or needs one. */
const isAtWork = (sql: Sql) => sql`(alive_until > '-infinity' or offered_until > now())`;

const alone = (sql: Sql, worker: string) => sql`
  not exists (select from webhook_worker where looks_until > now() and worker <> ${worker}::uuid)`;

/**
 * Renews the promises of these drains, except withdrawn ones; returns which drains still have their line, and whose
 * promise has expired. `polling`: their worker takes lines and counts among those that share them. Not flushed to
 * disk: a promise lost in a server crash has expired by the time the server is back.
 *
 * Locks its own lines in their order, and waits for no others: after an outage all workers renew at the same moment,
 * and each finds the promises of the others expired.
 */
export async function renewLines(
  sql: Sql,
  drains: readonly LineEpoch[],
  { worker, polling }: { readonly worker: string; readonly polling: boolean },
): Promise<WatchedLines> {
  const rows = await sql<WatchedLines[]>`
    with unflushed as materialized (select set_config('synchronous_commit', 'off', true)),
    own as materialized (
      select * from unnest(
        ${drains.map((each) => each.line)}::smallint[],
        ${drains.map((each) => each.epoch)}::bigint[]) as d (line, epoch)
    ), renewable as materialized (
      select w.line from webhook_line w join own using (line, epoch)
      where w.alive_until is not null
      order by w.line for no key update of w
    ), renewed as (
      update webhook_line w set alive_until = now() + ${ALIVE_MS}::int * interval '1 ms'
      from renewable where w.line = renewable.line
      returning w.line
    ), forgotten as (
      update webhook_line set alive_until = '-infinity' where line in (
        select line from webhook_line
        where alive_until > '-infinity' and alive_until < now() - ${FORGOTTEN_SECONDS}::int * interval '1 s'
          and line not in (select line from own)
        for no key update skip locked)
    ), lapsed as (
      select line, epoch from webhook_line where alive_until > '-infinity' and alive_until <= now()
    ), at_work as (
      select count(*)::int as lines from webhook_line where ${isAtWork(sql)}
    ), counted as (
      insert into webhook_worker (worker, polls_until, looks_until)
      select ${worker}::uuid, now() + ${ALIVE_MS}::int * interval '1 ms',
        now() + case when lines > 0 then ${ALIVE_MS + QUIET_RENEW_MS}::int
          else ${QUIET_WRITE_MS + QUIET_RENEW_MS}::int end * interval '1 ms'
      from at_work where ${polling}::boolean
      on conflict (worker) do update set polls_until = excluded.polls_until, looks_until = excluded.looks_until
    ), gone as (
      delete from webhook_worker where worker in (
        select worker from webhook_worker
        where case when worker = ${worker}::uuid then not ${polling}::boolean
          else polls_until < now() - ${FORGOTTEN_SECONDS}::int * interval '1 s' end
        for update skip locked)
    )
    select (extract(epoch from clock_timestamp()) * 1000)::float8 as now,
      array(select line::int from webhook_line join own using (line, epoch)) as kept,
      array(select line::int from renewed) as renewed,
      (select coalesce(json_agg(json_build_object('line', line, 'epoch', epoch) order by line), '[]')
        from lapsed) as lapsed,
      (select lines from at_work) as lines,
      (select count(*)::int from webhook_worker
        where polls_until > now() and worker <> ${worker}::uuid) as others,
      ${alone(sql, worker)} as is_alone
    from unflushed`;
  return onlyRow(rows);
}
