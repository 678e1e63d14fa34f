import { setTimeout as sleep } from 'node:timers/promises';
import { createSecretBox, toEncryptionKey } from '../../src/platform/crypto/secrets';
import { createLog } from '../../src/platform/observe/log';
import { parseCidrs } from '../../src/platform/outbound/addresses';
import { createOutboundClient } from '../../src/platform/outbound/http-client';
import { createOwnFaults, type OwnFaultKind } from '../../src/platform/outbound/own-faults';
import { parseProxy } from '../../src/platform/outbound/proxy';
import { subscriptionSecretContext } from '../../src/webhooks/sql/subscriptions';
import { type ConnectProxy, startConnectProxy } from '../support/connect-proxy';
import { type ConsumerBench, createConsumerBench } from '../support/consumer-bench';
import { until } from '../support/until';
import type { TestSubscription } from '../support/webhook-rows';

let bench: ConsumerBench;
let proxy: ConnectProxy;
const closing: (() => Promise<void>)[] = [];
beforeAll(async () => {
  bench = await createConsumerBench();
});
beforeEach(async () => {
  proxy = await startConnectProxy();
});
afterEach(() => proxy.close());
afterAll(async () => {
  await bench.close();
  for (const close of closing) await close();
});

/** 5 s in production. */
const PROBE_EVERY_MS = 1_000;

/** A way to receivers through the proxy. */
function throughProxy() {
  const counts = new Map<OwnFaultKind, number>();
  const ownFaults = createOwnFaults({
    log: createLog('silent'),
    onFault: (kind) => counts.set(kind, (counts.get(kind) ?? 0) + 1),
    probeEveryMs: PROBE_EVERY_MS,
  });
  const http = createOutboundClient({
    allowCidrs: parseCidrs('127.0.0.0/8'),
    userAgent: 'test',
    proxy: parseProxy(`http://127.0.0.1:${proxy.port}`),
    ownFaults,
  });
  closing.push(() => http.close());
  return { http, ownFaults, counts };
}

async function stateOf({ subscriptionId }: TestSubscription) {
  const [row] = await bench.database.sql`
    select own_fault, own_fault_since, consecutive_failures as failures, paused_until,
      (select count(*)::int from delivery d where d.subscription_id = s.subscription_id and d.lease_epoch is null
        and d.attempts_made = 0 and d.due_at <= now()) as untried,
      (select count(*)::int from attempt a where a.delivery_id in (
        select delivery_id from any_delivery d where d.subscription_id = s.subscription_id)) as attempts
    from subscription s where subscription_id = ${subscriptionId}`;
  return row;
}

// The other statuses: test/unit/outbound/own-faults.test.ts.
test.each([407])(
  'a proxy that answers %d costs no attempt and no health; one probe goes out at a time, and all is sent when it is over',
  async (status) => {
    const { rows, receiver } = bench;
    const one = await rows.subscribe({ url: `${receiver.url}/one-${status}` });
    const other = await rows.subscribe({
      url: `http://localhost:${new URL(receiver.url).port}/other`,
    });
    const ids = [...(await rows.put(one, 12)), ...(await rows.put(other, 12))];
    proxy.refuseAll(status);
    const out = throughProxy();
    // Long enough for twelve questions at once to a proxy, on a busy machine too.
    const worker = await bench.startWorker({ out, timeoutMs: 10_000 });
    const waiting = { ownFault: 'proxy', failures: 0, pausedUntil: null, untried: 12, attempts: 0 };
    for (const each of [one, other]) {
      let state: Awaited<ReturnType<typeof stateOf>>;
      // One of them may be out as a probe.
      await until(async () => {
        state = await stateOf(each);
        return state?.['ownFault'] === 'proxy' && state['untried'] === 12;
      });
      expect(state).toMatchObject(waiting);
    }
    const [asked, since] = [proxy.asked.length, Date.now()];
    await sleep(3.5 * PROBE_EVERY_MS);
    const probes = proxy.asked.length - asked;
    expect(probes).toBeGreaterThan(0);
    expect(probes).toBeLessThanOrEqual((Date.now() - since) / PROBE_EVERY_MS + 1);
    expect(out.counts.get('proxy')).toBeGreaterThanOrEqual(probes);
    proxy.refuseAll(null);
    for (const each of [one, other]) {
      await bench.untilSent(each);
      await until(async () => (await stateOf(each))?.ownFault === null);
      expect(await stateOf(each)).toMatchObject({ ownFaultSince: null, failures: 0 });
    }
    const attempts = await Promise.all(ids.map((id) => rows.attempts(id)));
    for (const each of attempts) expect(each).toMatchObject([{ number: 1, status: 204 }]);
    await worker.leave();
  },
);

test('what the proxy says of the receiver is the receiver’s: 502 is an attempt and a failure', async () => {
  const { rows, receiver } = bench;
  const subscription = await rows.subscribe({ url: `${receiver.url}/unreached` });
  await rows.put(subscription);
  proxy.refuseAll(502);
  const worker = await bench.startWorker({ out: throughProxy(), retryTable: [60_000] });
  await until(async () => (await stateOf(subscription))?.attempts === 1);
  expect(await stateOf(subscription)).toMatchObject({ ownFault: null, failures: 1 });
  await worker.leave();
});

test('a secret that cannot be opened costs no attempt, and is said where its webhook stands', async () => {
  const { rows, receiver, database } = bench;
  const subscription = await rows.subscribe({ url: `${receiver.url}/sealed-elsewhere` });
  const elsewhere = createSecretBox([toEncryptionKey(Buffer.alloc(32, 9))]);
  const context = subscriptionSecretContext(subscription.subscriptionId);
  const [row] = await database.sql<{ secretEncrypted: Buffer }[]>`
    select secret_encrypted from subscription where subscription_id = ${subscription.subscriptionId}`;
  const seal = (sealed: Buffer | undefined) => database.sql`
    update subscription set secret_encrypted = ${sealed ?? null} where subscription_id = ${subscription.subscriptionId}`;
  await seal(elsewhere.encrypt('whsec_dGhlIHNlY3JldCBvZiBzb21lYm9keSBlbHNl', context));
  await rows.put(subscription, 3);
  const out = throughProxy();
  const since = Date.now();
  const worker = await bench.startWorker({ out });
  await until(async () => (await stateOf(subscription))?.ownFault === 'secret');
  await sleep(2 * PROBE_EVERY_MS);
  expect(await stateOf(subscription)).toMatchObject({ failures: 0, attempts: 0 });
  expect(out.counts.get('secret')).toBeLessThanOrEqual((Date.now() - since) / PROBE_EVERY_MS + 2);
  await seal(row?.secretEncrypted);
  await bench.untilSent(subscription);
  expect(receiver.receivedAt('/sealed-elsewhere')).toHaveLength(3);
  await until(async () => (await stateOf(subscription))?.ownFault === null);
  await worker.leave();
});
