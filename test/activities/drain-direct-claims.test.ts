import { setTimeout as sleep } from 'node:timers/promises';
import { type Listener, listenResiliently } from '../../src/platform/db/listen';
import { claimDeliveries } from '../../src/webhooks/sql/delivery-claims';
import { readAnnouncement, WEBHOOKS_DUE } from '../../src/webhooks/sql/announcements';
import type { Drains } from '../../src/webhooks/drain/drains';
import { createDrainBench, type DrainBench, type WorkerOptions } from '../support/drain-bench';
import type { Sql } from '../../src/platform/db/client';
import { deferred } from '../support/deferred';
import { until } from '../support/until';
import type { TestSubscription } from '../support/webhook-rows';

let bench: DrainBench;
let listener: Listener;
const texts: string[] = [];
beforeAll(async () => {
  bench = await createDrainBench();
  listener = await listenResiliently(bench.database.url, [WEBHOOKS_DUE], {
    onNotify: (_channel, text) => texts.push(text),
    onListening: () => {},
  });
});
afterAll(async () => {
  await listener.stop();
  await bench.close();
});

/** A subscription whose line has a drain, with what is announced for it. */
async function startQuiet(path: string, options: WorkerOptions = {}) {
  const { rows, receiver } = bench;
  const subscription = await rows.subscribe({ url: `${receiver.url}${path}` });
  const worker = bench.startWorker({ lingerMs: 5_000, ...options });
  const drain = bench.startDrain(worker, subscription);
  await untilAlive(subscription);
  return { subscription, worker, drain };
}

async function untilAlive({ line }: TestSubscription): Promise<void> {
  await until(async () => {
    const alive = await bench.database.sql`
      select from webhook_line where line = ${line}::smallint and alive_until > now()`;
    return alive.length > 0;
  });
}

/** What was announced for a subscription, once there are so many. */
async function announced(of: TestSubscription, count = 1): Promise<string[]> {
  const own = (): string[] => texts.filter((text) => text.includes(of.subscriptionId));
  await until(() => own().length >= count);
  return own();
}

function tell(worker: Drains, text: string | undefined): void {
  worker.wake(readAnnouncement(text ?? ''));
}

async function lease(of: TestSubscription) {
  const [row] = await bench.database.sql<{ leaseEpoch: number | null; leaseUntil: Date | null }[]>`
    select lease_epoch, lease_until from delivery where subscription_id = ${of.subscriptionId}`;
  return row;
}

const isClaimedBy = (text: string | undefined): number | undefined =>
  readAnnouncement(text ?? '').directClaim()?.epoch;

test('deliveries of a quiet subscription are sent as they were announced, without a claim', async () => {
  const { rows, receiver, database } = bench;
  let claims = 0;
  const sql = new Proxy(database.sql, {
    apply(target, self, args: unknown[]) {
      if (String(args[0]).includes('with asked as')) claims += 1;
      return Reflect.apply(target, self, args);
    },
  });
  const { subscription, worker, drain } = await startQuiet('/direct', { sql });
  for (let n = 1; n <= 4; n += 1) {
    const [id] = await rows.put(subscription);
    const text = (await announced(subscription, n)).at(-1);
    expect(isClaimedBy(text)).toBeDefined();
    tell(worker, text);
    await until(async () => (await rows.countPending(subscription)) === 0);
    expect(receiver.receivedAt('/direct').at(-1)?.id).toBe(id?.replace('dlv', 'msg'));
    expect(await rows.attempts(id as never)).toMatchObject([{ number: 1, status: 204 }]);
  }
  expect(receiver.receivedAt('/direct')).toHaveLength(4);
  // The look for what is due, once a second, may have met one in flight.
  expect(claims).toBeLessThan(4);
  await drain.cancel();
});

test('a delivery whose announcement got lost is found and sent once', async () => {
  const { rows, receiver } = bench;
  const { subscription, drain } = await startQuiet('/lost');
  await rows.put(subscription);
  const [text] = await announced(subscription);
  expect(isClaimedBy(text)).toBeDefined();
  await until(async () => (await rows.countPending(subscription)) === 0);
  expect(receiver.receivedAt('/lost')).toHaveLength(1);
  await drain.cancel();
});

test('a delivery that a claim found first is not sent again for its announcement, however late', async () => {
  const { rows, receiver } = bench;
  const { subscription, worker, drain } = await startQuiet('/late-notice');
  for (const waitMs of [0, 1_200, 3_000]) {
    await rows.put(subscription);
    const text = (await announced(subscription)).at(-1);
    expect(isClaimedBy(text)).toBeDefined();
    const { line, subscriptionId } = subscription;
    worker.wake({ line, subscriptionId });
    await until(async () => (await rows.countPending(subscription)) === 0);
    await sleep(waitMs);
    tell(worker, text);
    await sleep(100);
    texts.length = 0;
  }
  expect(receiver.receivedAt('/late-notice')).toHaveLength(3);
  await drain.cancel();
});

test('a delivery in flight is not sent again by a claim that finds it', async () => {
  const { rows, receiver } = bench;
  receiver.answer('/slow', (response) => {
    // Longer than from one look to the next.
    setTimeout(() => response.writeHead(204).end(), 2_500);
  });
  const { subscription, worker, drain } = await startQuiet('/slow', { timeoutMs: 5_000 });
  await rows.put(subscription);
  const [text] = await announced(subscription);
  tell(worker, text);
  await until(() => receiver.receivedAt('/slow').length === 1);
  const { line, subscriptionId } = subscription;
  worker.wake({ line, subscriptionId });
  await until(async () => (await lease(subscription))?.leaseUntil !== null);
  await until(async () => (await rows.countPending(subscription)) === 0);
  expect(receiver.receivedAt('/slow')).toHaveLength(1);
  await drain.cancel();
});

test('a drain that cannot renew its promise sends nothing that was claimed for it, and its successor sends it once', async () => {
  const { rows, receiver } = bench;
  // As in a process that freezes: its renewals are not answered.
  const silence = deferred();
  const watchSql = (() => silence.promise.then(() => [])) as unknown as Sql;
  const { subscription, worker: old, drain } = await startQuiet('/replaced', { watchSql });
  await sleep(1_100);
  await rows.put(subscription);
  const [text] = await announced(subscription);
  expect(isClaimedBy(text)).toBeDefined();
  await bench.lapse(subscription);
  await bench.drainAll(bench.startWorker(), subscription);
  expect(receiver.receivedAt('/replaced')).toHaveLength(1);
  tell(old, text);
  await sleep(300);
  expect(receiver.receivedAt('/replaced')).toHaveLength(1);
  await drain.cancel();
  silence.resolve();
});

/** Of attempts of type 1 with the longest `WEBHOOK_TIMEOUT`, a minute. */
const LONGEST_LEASE_MS = 130_000;

test('the line to which a subscription was moved leaves what was claimed for its former line alone', async () => {
  const { rows } = bench;
  const { subscription, drain } = await startQuiet('/moved');
  const { sql } = bench.database;
  // The look of its drain must not find it meanwhile.
  await sql`update subscription set line = 255 where subscription_id = ${subscription.subscriptionId}`;
  await sql`update webhook_line set alive_until = now() + interval '10 s', epoch = 255 where line = 255`;
  await rows.put(subscription);
  await sql`update delivery set lease_epoch = (select epoch from webhook_line where line = ${subscription.line}::smallint)
    where subscription_id = ${subscription.subscriptionId}`;
  expect(await claimed()).toEqual([]);
  await beDueFor('129 s');
  expect(await claimed()).toEqual([]);
  await beDueFor('131 s');
  expect(await claimed()).toHaveLength(1);
  await drain.cancel();

  async function beDueFor(time: string) {
    await sql`update delivery set due_at = now() - ${time}::interval
      where subscription_id = ${subscription.subscriptionId}`;
  }

  async function claimed() {
    const { subscriptionId } = subscription;
    const request = { subscriptionId, line: 255, epoch: 255, room: 5, healthVersion: null };
    const found = await claimDeliveries(sql, [request], LONGEST_LEASE_MS);
    return found.filter((row) => row.deliveryId !== null);
  }
});

test('only the one delivery of a healthy receiver without a rate limit is claimed as it is written', async () => {
  const { rows } = bench;
  const { sql } = bench.database;
  const { subscription, drain, worker } = await startQuiet('/unusual');
  const { subscriptionId } = subscription;
  worker.stop();
  await drain.report;
  await sql`update webhook_line set alive_until = now() + interval '1 min' where line = ${subscription.line}::smallint`;
  const claims = async () => {
    texts.length = 0;
    await rows.put(subscription);
    return isClaimedBy((await announced(subscription)).at(-1)) !== undefined;
  };
  expect(await claims()).toBe(true);
  // Another one waits.
  expect(await claims()).toBe(false);
  await sql`delete from delivery where subscription_id = ${subscriptionId}`;
  await sql`update subscription set max_per_second = 5 where subscription_id = ${subscriptionId}`;
  expect(await claims()).toBe(false);
  await sql`update subscription set max_per_second = null where subscription_id = ${subscriptionId}`;
  await sql`delete from delivery where subscription_id = ${subscriptionId}`;
  await sql`update subscription set consecutive_failures = 1 where subscription_id = ${subscriptionId}`;
  expect(await claims()).toBe(false);
  await sql`update subscription set consecutive_failures = 0 where subscription_id = ${subscriptionId}`;
  await sql`delete from delivery where subscription_id = ${subscriptionId}`;
  // Too long for a notice, which Postgres would refuse with the event.
  await sql`update subscription set url = ${`https://stock.example/${'"'.repeat(4_000)}`} where subscription_id = ${subscriptionId}`;
  expect(await claims()).toBe(false);
  expect(await lease(subscription)).toMatchObject({ leaseEpoch: null });
});

test('an announcement that nobody can read wakes the drain of its subscription, and nothing breaks', async () => {
  const { rows, receiver } = bench;
  const { subscription, worker, drain } = await startQuiet('/unreadable');
  const { line, subscriptionId } = subscription;
  for (const text of [
    '',
    ' ',
    'x',
    `${line} ${subscriptionId} {"epoch":`,
    `${line} ${subscriptionId} null`,
  ]) {
    tell(worker, text);
  }
  await rows.put(subscription);
  tell(worker, `${line} ${subscriptionId} not JSON`);
  await until(async () => (await rows.countPending(subscription)) === 0);
  expect(receiver.receivedAt('/unreadable')).toHaveLength(1);
  await drain.cancel();
});
