import type { Sql } from '../../src/platform/db/client';

const DAYS = 30;
const DAY_MS = 86_400_000;

export interface FilledHistory {
  readonly days: readonly FilledDay[];
  /** Of one row with its share of the indexes. */
  readonly bytesEach: number;
}

/** A partition with the rows of one day. */
interface FilledDay {
  readonly name: string;
  readonly from: string;
  readonly to: string;
}

/**
 * Puts `count` deliveries that have ended over the last 30 days, a partition for each day, of the subscriptions and
 * stores that are there; `sql` without a deadline. Indexes are made when the rows are in, which takes a third of the time.
 */
export async function fillHistory(sql: Sql, count: number): Promise<FilledHistory> {
  await sql`
    create unlogged table filled_for as
    select s.subscription_id, s.inventory_system_id, l.store_id, row_number() over () as n
    from subscription s join store_link l using (inventory_system_id)`;
  const today = Math.floor(Date.now() / DAY_MS);
  const days: FilledDay[] = [];
  for (let day = today - DAYS; day < today; day += 1) {
    days.push(await fillDay(sql, day, Math.ceil(count / DAYS)));
  }
  await sql`drop table filled_for`;
  await sql.unsafe('checkpoint');
  const [size] = await sql<{ bytes: number }[]>`
    select sum(pg_total_relation_size(name::regclass))::float8 as bytes
    from unnest(${days.map(({ name }) => name)}::text[]) as name`;
  return { days, bytesEach: (size?.bytes ?? Number.NaN) / count };
}

async function fillDay(sql: Sql, day: number, count: number): Promise<FilledDay> {
  const [from, to] = [startOf(day), startOf(day + 1)];
  const name = `ended_delivery_${digits(from)}_${digits(to)}`;
  await sql.unsafe(`
    create table ${name} (like ended_delivery including defaults including constraints);
    insert into ${name} (delivery_id, subscription_id, inventory_system_id, store_id, type, sequence, payload, state,
      receiver_status, request_id, user_id, created_at, finished_at, attempts_made, attempts_before_resend, attempts)
    select 'dlv_' || lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0') || left(md5(i::text), 20),
      f.subscription_id, f.inventory_system_id, f.store_id, 2, nextval('webhook_sequence'),
      json_build_object('inventory_system_id', f.inventory_system_id, 'external_store_id', 's1',
        'external_id', repeat('0', 185), 'current_stock', '10.50', 'quantity', '1', 'movement_type', 2),
      'acknowledged', 204, 'req_' || md5(i::text), 'usr_' || md5('user'), at, at, 1, 0,
      array[(1, at, 5, 204, null, null, null)::ended_attempt]
    from generate_series(0, ${count - 1}) as i cross join
      lateral (select '${from}'::timestamptz + i * interval '24 h' / ${count} as at) as ended
      join filled_for f on f.n = 1 + i % (select count(*) from filled_for);
    alter table ${name} add primary key (delivery_id, finished_at);
    create index on ${name} (subscription_id, delivery_id);
    create index on ${name} (store_id, delivery_id);
    create index on ${name} (request_id, delivery_id);
    alter table ${name} add check (finished_at >= '${from}' and finished_at < '${to}' and finished_at is not null);
  `);
  // Otherwise autovacuum would start during the measurement.
  await sql.unsafe(`vacuum (freeze, analyze) ${name}`);
  const filled = { name, from, to };
  await attachDay(sql, filled);
  return filled;
}

/** Takes the rows out of the history, where they stay as tables of their own. */
export async function detachHistory(sql: Sql, { days }: FilledHistory): Promise<void> {
  for (const { name } of days) {
    await sql.unsafe(`alter table ended_delivery detach partition ${name}`);
  }
}

export async function attachHistory(sql: Sql, { days }: FilledHistory): Promise<void> {
  for (const day of days) await attachDay(sql, day);
}

/** Takes a moment, because the table's check says that its rows belong there. */
async function attachDay(sql: Sql, { name, from, to }: FilledDay): Promise<void> {
  await sql.unsafe(
    `alter table ended_delivery attach partition ${name} for values from ('${from}') to ('${to}')`,
  );
}

/** `day`: days since 1970. */
function startOf(day: number): string {
  return new Date(day * DAY_MS).toISOString();
}

function digits(iso: string): string {
  return iso.slice(0, 10).replaceAll('-', '');
}
