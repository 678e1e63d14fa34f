import type { Sql } from '../src/platform/db/client';
import {
  type IsolationRig,
  noTimes,
  startIsolationRig,
  type Times,
  WORK,
  type Work,
} from './rig/isolation-rig';
import { residentMegabytes } from './rig/memory';
import { atRate } from './rig/pace';
import { median, quantile } from './rig/quantile';
import { positiveNumber, wholeNumber } from './rig/settings';

/*
 * Whether anything grows with time: uploads with and without images, stock events and stock updates at a steady rate,
 * while retention removes what ended a few minutes ago. For that, what has ended is made 40 days older once it is
 * `AGE_MINUTES` old, so each table should stay as large as its last minutes. Prints a line a minute: memory, times of
 * the events, rows and disk; at the end the last third beside the second.
 *
 *   MINUTES=60 LOAD=1 npx tsx bench/soak.ts
 */

const MINUTES = wholeNumber('MINUTES', 60, 24 * 60);
/**
 * Longer than it takes until a store's live menu and the one before have been replaced: an upload in use when it
 * expires is looked at again an hour later.
 */
const AGE_MINUTES = wholeNumber('AGE_MINUTES', 10, 60);
const LOAD = positiveNumber('LOAD', 1, 20);
/** Requests a second. */
const RATES: Readonly<Record<Work, number>> = {
  upload: 2 * LOAD,
  imageUpload: LOAD,
  event: 40 * LOAD,
  stockUpdate: 10 * LOAD,
};
const TABLES = ['delivery', 'ended_delivery', 'menu_upload', 'upload_step', 'document'] as const;

type Minute = Readonly<Record<string, number>>;

async function main(): Promise<void> {
  const rig = await startIsolationRig();
  const minutes: Minute[] = [];
  const statuses = new Map<number, number>();
  try {
    console.log(rig.setting.join('\n'));
    console.log(`${MINUTES} minutes; a second: ${JSON.stringify(RATES)}`);
    for (let minute = 1; minute <= MINUTES; minute += 1) {
      const cpuBefore = rig.cpu();
      const times = await loadForAMinute(rig, statuses);
      await makeOlder(rig.sql);
      const seen = await look(rig, times, cpuBefore);
      minutes.push(seen);
      console.log(`${minute} ${JSON.stringify(seen)}`);
    }
    console.log(`answers: ${JSON.stringify(Object.fromEntries(statuses))}`);
    console.table(compareThirds(minutes));
  } finally {
    await rig.stop();
  }
}

async function loadForAMinute(rig: IsolationRig, statuses: Map<number, number>): Promise<Times> {
  const times = noTimes();
  await Promise.all(
    WORK.map((work) => atRate(RATES[work], 60, () => timed(rig, work, times[work], statuses))),
  );
  return times;
}

async function timed(
  { well }: IsolationRig,
  work: Work,
  times: number[],
  statuses: Map<number, number>,
): Promise<void> {
  const at = performance.now();
  const status = await well.send(work).catch(() => 0);
  times.push(performance.now() - at);
  statuses.set(status, (statuses.get(status) ?? 0) + 1);
}

/** What ended before `AGE_MINUTES` looks as if that had been 40 days earlier, so that retention removes it. */
async function makeOlder(sql: Sql): Promise<void> {
  const older = sql`interval '40 days'`;
  const ended = sql`between now() - interval '1 day' and now() - ${AGE_MINUTES}::int * interval '1 minute'`;
  await sql`update ended_delivery set finished_at = finished_at - ${older} where finished_at ${ended}`;
  await sql`update menu_upload set finished_at = finished_at - ${older} where finished_at ${ended}`;
  // The second are documents that an upload still used when they expired: retention looks at them again a day later.
  await sql`
    update document set created_at = created_at - ${older}
    where created_at ${ended} or created_at between now() - interval '30 days' and now() - interval '28 days'`;
  await sql`update pos_request set created_at = created_at - ${older} where created_at ${ended}`;
}

async function look(
  rig: IsolationRig,
  times: Times,
  cpuBefore: Readonly<Record<string, number>>,
): Promise<Minute> {
  const cpuAfter = rig.cpu();
  const events = times.event.toSorted((a, b) => a - b);
  const uploads = times.upload.toSorted((a, b) => a - b);
  const cpu = (part: string): number =>
    Math.round((((cpuAfter[part] ?? 0) - (cpuBefore[part] ?? 0)) / 60) * 1000);
  return {
    'api MB': Math.round(residentMegabytes(rig.pids.api)),
    'worker MB': Math.round(residentMegabytes(rig.pids.worker)),
    'event p50': round(quantile(events, 0.5)),
    'event p99': round(quantile(events, 0.99)),
    'upload p50': round(quantile(uploads, 0.5)),
    'upload p99': round(quantile(uploads, 0.99)),
    'api ms/s': cpu('api'),
    'worker ms/s': cpu('worker'),
    'postgres ms/s': cpu('postgres'),
    'temporal ms/s': cpu('temporal'),
    ...(await sizes(rig.sql)),
  };
}

/** Rows in thousands and MB on disk, with indexes, of each table and its partitions; MB of all. */
async function sizes(sql: Sql): Promise<Minute> {
  const found: Record<string, number> = {};
  for (const table of TABLES) {
    const [row] = await sql<{ mb: number; rows: number }[]>`
      select (pg_total_relation_size(${table}::regclass) + coalesce(sum(pg_total_relation_size(inhrelid)), 0))::float8
          / 1e6 as mb,
        (select count(*)::float8 / 1e3 from ${sql(table)}) as rows
      from pg_inherits where inhparent = ${table}::regclass`;
    found[`${table} k`] = round(row?.rows ?? 0);
    found[`${table} MB`] = round(row?.mb ?? 0);
  }
  const [all] = await sql<{ mb: number }[]>`
    select pg_database_size(current_database())::float8 / 1e6 as mb`;
  return { ...found, 'database MB': round(all?.mb ?? 0) };
}

/** Medians of the second and the last third, and their ratio. */
function compareThirds(minutes: readonly Minute[]) {
  const third = Math.floor(minutes.length / 3);
  const names = Object.keys(minutes[0] ?? {});
  return names.map((name) => {
    const medianOf = (from: number, to: number): number => {
      return median(minutes.slice(from, to).map((minute) => minute[name] ?? Number.NaN));
    };
    const [second, last] = [medianOf(third, 2 * third), medianOf(2 * third, minutes.length)];
    return { of: name, 'second third': second, 'last third': last, ratio: round(last / second) };
  });
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}

void main();
