import { setTimeout as sleep } from 'node:timers/promises';
import { startWebhookRig, type WebhookRig } from './rig/webhook-rig';

const SECONDS = Number(process.env['SECONDS'] ?? 60);
const CLIENTS = Number(process.env['CLIENTS'] ?? 64);
const SETS = (process.env['SUBSCRIPTIONS'] ?? '1,20,200').split(',').map(Number);

function quantile(sorted: readonly number[], p: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(p * sorted.length))] ?? Number.NaN;
}

async function post(rig: WebhookRig, store: number, event: number): Promise<number> {
  const body = JSON.stringify({
    external_id: String(event),
    current_stock: '10.50',
    quantity: '1',
    date: '2026-11-21T10:00:00Z',
    movement_type: 2,
  });
  const answer = await rig.api.request({
    method: 'POST',
    path: `/api/v1/pos/store/${store}/inventory/stock`,
    headers: { authorization: `Bearer ${rig.token}`, 'content-type': 'application/json' },
    body,
  });
  await answer.body.dump();
  return answer.statusCode;
}

let event = 0;

async function throughput(rig: WebhookRig, stores: number[]) {
  const statuses = new Map<number, number>();
  const durations: number[] = [];
  const before = rig.cpu();
  const startedAt = performance.now();
  const until = startedAt + SECONDS * 1000;
  const first = event;
  let oldest = 0;
  const watch = (async () => {
    while (performance.now() < until) {
      const [row] = await rig.sql<
        { ms: number }[]
      >`select coalesce(max(extract(epoch from now() - due_at)) * 1000, 0)::float8 as ms from delivery where state = 'pending'`;
      oldest = Math.max(oldest, row?.ms ?? 0);
      await sleep(1000);
    }
  })();
  await Promise.all(
    Array.from({ length: CLIENTS }, async () => {
      while (performance.now() < until) {
        const n = event++;
        const at = performance.now();
        const code = await post(rig, stores[n % stores.length] ?? 0, n);
        durations.push(performance.now() - at);
        statuses.set(code, (statuses.get(code) ?? 0) + 1);
      }
    }),
  );
  const seconds = (performance.now() - startedAt) / 1000;
  await watch;
  const after = rig.cpu();
  for (;;) {
    const [row] = await rig.sql<
      { n: number }[]
    >`select count(*) as n from delivery where state = 'pending'`;
    if (row?.n === 0) break;
    await sleep(200);
  }
  const arrivals = await rig.arrivals();
  const sent = event - first;
  durations.sort((a, b) => a - b);
  const cpu = Object.fromEntries(
    (Object.keys(before) as (keyof typeof before)[]).map((k) => [
      k,
      (((after[k] - before[k]) * 1000) / sent).toFixed(2),
    ]),
  );
  return {
    subscriptions: stores.length,
    'events/s': Math.round(sent / seconds),
    'p50 ms': quantile(durations, 0.5).toFixed(1),
    'p99 ms': quantile(durations, 0.99).toFixed(1),
    'backlog ms': Math.round(oldest),
    lost: sent - arrivals.first.length,
    duplicates: arrivals.duplicates,
    statuses: JSON.stringify([...statuses]),
    cpu: JSON.stringify(cpu),
  };
}

async function warm(rig: WebhookRig, store: number) {
  const durations: number[] = [];
  for (let n = 0; n < 500; n += 1) {
    const at = performance.now();
    await post(rig, store, event++);
    if (n >= 100) durations.push(performance.now() - at);
  }
  durations.sort((a, b) => a - b);
  return {
    'warm p50': quantile(durations, 0.5).toFixed(1),
    p99: quantile(durations, 0.99).toFixed(1),
  };
}

async function openLoop(rig: WebhookRig, stores: number[], rate: number) {
  const sentAt = new Map<number, number>();
  const total = rate * SECONDS;
  const begin = performance.now();
  const all: Promise<unknown>[] = [];
  for (let n = 0; n < total; n += 1) {
    const due = begin + (n * 1000) / rate;
    const wait = due - performance.now();
    if (wait > 1) await sleep(wait);
    const e = event++;
    sentAt.set(e, performance.timeOrigin + performance.now());
    all.push(post(rig, stores[n % stores.length] ?? 0, e));
  }
  await Promise.all(all);
  const arrivals = await rig.arrivals();
  const lat = arrivals.first
    .flatMap(([e, at]) => (sentAt.has(e) ? [at - (sentAt.get(e) ?? 0)] : []))
    .sort((a, b) => a - b);
  return {
    rate,
    n: lat.length,
    'POST→arrival p50': quantile(lat, 0.5).toFixed(1),
    p99: quantile(lat, 0.99).toFixed(1),
    max: quantile(lat, 1).toFixed(0),
  };
}

async function main() {
  const rig = await startWebhookRig();
  try {
    for (const count of SETS) {
      const stores = await rig.addStores(count, { type: 2, path: '/ok' });
      await rig.reset();
      // warm-up
      await Promise.all(stores.map((store) => post(rig, store, event++)));
      console.log(await warm(rig, stores[0] ?? 0));
      console.log(await openLoop(rig, stores, 200));
      await rig.reset();
      if (process.env['PGSS']) {
        await rig.sql`create extension if not exists pg_stat_statements`;
        await rig.sql`select pg_stat_statements_reset()`;
      }
      const t = await throughput(rig, stores);
      console.log(t);
      if (process.env['PGSS'])
        for (const r of await rig.sql`select calls, total_exec_time as t, rows, wal_bytes, wal_fpi, shared_blks_hit as hit, left(regexp_replace(query, '\\s+', ' ', 'g'), 90) as q from pg_stat_statements order by total_exec_time desc limit 12`)
          console.log(JSON.stringify(r));
    }
  } finally {
    await rig.stop();
  }
}
void main();
