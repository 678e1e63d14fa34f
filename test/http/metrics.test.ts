import { findFreePort } from '../../dev/processes/free-port';
import { until } from '../support/until';
import { connect } from '../../src/platform/db/client';
import { createMetrics } from '../../src/metrics/metrics';
import { startTestApi, type TestApi } from '../support/api';
import { availabilityOf } from '../support/availability-calls';
import { startWithSharedMetrics } from '../support/shared-metrics';
import { untilFound } from '../support/until';
import { status } from '../support/webhook-receiver';
import { prepareWebhookSystem } from '../support/webhook-system';

async function scrape(url: string): Promise<string> {
  const response = await fetch(`${url}/metrics`);
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/);
  return response.text();
}

/** They are rendered once a second at most: the first ones with this. */
async function scrapedWith(url: string, isThere: (text: string) => boolean): Promise<string> {
  return untilFound(async () => {
    const text = await scrape(url);
    return isThere(text) ? text : undefined;
  });
}

/** The value of one series; undefined when it is not there. */
function valueOf(text: string, series: string): number | undefined {
  const line = text.split('\n').find((each) => each.startsWith(`${series} `));
  return line === undefined ? undefined : Number(line.slice(series.length));
}

function requests(text: string, method: string, route: string, code: number): number | undefined {
  const labels = `method="${method}",route="${route}",status="${code}"`;
  return valueOf(text, `http_request_duration_seconds_count{${labels}}`);
}

describe('an API without METRICS_PORT', () => {
  let api: TestApi;
  beforeAll(async () => {
    api = await startTestApi();
  });
  afterAll(() => api.stop());

  test('requests are counted under the pattern of their route, for all callers', async () => {
    const caller = await api.user();
    await caller.get('/menus/uploads/upl_1');
    await caller.get('/menus/uploads/upl_2');
    await fetch(`${api.url}/api/v1/menus/uploads/upl_3`);
    const route = '/api/v1/menus/uploads/:upload_id';
    const text = await scrapedWith(api.url, (each) => requests(each, 'GET', route, 401) === 1);
    expect(requests(text, 'GET', route, 404)).toBe(2);
    expect(requests(text, 'GET', route, 401)).toBe(1);
    expect(text).not.toContain('upl_');
  });

  test('unknown paths and unknown methods share one series each', async () => {
    for (let number = 0; number < 20; number += 1) {
      await fetch(`${api.url}/nowhere/${number}`);
      await fetch(`${api.url}/health/live?${number}`, { method: 'DELETE' });
    }
    const text = await scrapedWith(
      api.url,
      (each) => requests(each, 'DELETE', 'unmatched', 405) === 20,
    );
    expect(text).not.toContain('nowhere');
    expect(requests(text, 'GET', 'unmatched', 404)).toBe(20);
    expect(requests(text, 'DELETE', 'unmatched', 405)).toBe(20);
  });

  test('the state of the queues, their dependencies and the process is reported', async () => {
    const text = await scrape(api.url);
    expect(valueOf(text, 'postgres_reachable')).toBe(1);
    expect(valueOf(text, 'temporal_reachable')).toBe(1);
    expect(valueOf(text, 'oldest_due_row_age_seconds')).toBe(0);
    expect(valueOf(text, 'process_resident_memory_bytes')).toBeGreaterThan(0);
  });
});

test('with METRICS_PORT the metrics are there and no longer on PORT', async () => {
  const port = await findFreePort();
  const api = await startTestApi({ METRICS_PORT: String(port) });
  try {
    const own = `http://127.0.0.1:${port}`;
    expect((await fetch(`${api.url}/metrics`)).status).toBe(404);
    expect(valueOf(await scrape(own), 'postgres_reachable')).toBe(1);
    expect((await fetch(`${own}/api/v1/menus/uploads`)).status).toBe(404);
    // For probes: a worker has no other port.
    expect(await (await fetch(`${own}/health/live`)).json()).toEqual({ status: 'ok' });
  } finally {
    await api.stop();
  }
});

test('an outage of Postgres is a metric, and no old value is shown as a new one', async () => {
  const sql = connect('postgres://nobody@127.0.0.1:9/nothing', { max: 1 });
  try {
    const metrics = createMetrics({ sql, temporal: { isReachable: () => false } });
    const { text } = await metrics.render();
    expect(valueOf(text, 'postgres_reachable')).toBe(0);
    expect(valueOf(text, 'temporal_reachable')).toBe(0);
    expect(valueOf(text, 'oldest_due_row_age_seconds')).toBeUndefined();
  } finally {
    await sql.end({ timeout: 1 });
  }
});

test('a separate worker reports the results of its attempts on METRICS_PORT', async () => {
  const port = await findFreePort();
  const webhooks = await prepareWebhookSystem({
    env: { METRICS_PORT: String(port), WEBHOOK_RETRY_SCHEDULE: '1h' },
  });
  try {
    const { rows, receiver, system } = webhooks;
    receiver.answer('/refuses', status(409, '{"message":"No such item."}'));
    receiver.answer('/is-busy', status(503));
    await system.startWorker();
    for (const path of ['/takes', '/refuses', '/is-busy']) {
      const subscription = await rows.subscribe({ url: `${receiver.url}${path}` });
      await rows.put(subscription, 2);
      await webhooks.announce(subscription);
    }
    const count = async (result: string): Promise<number | undefined> =>
      valueOf(
        await scrape(`http://127.0.0.1:${port}`),
        `webhook_attempt_duration_seconds_count{result="${result}"}`,
      );
    for (const result of ['acknowledged', 'refused', 'retried']) {
      await until(async () => (await count(result)) === 2);
    }
    expect(await count('exhausted')).toBe(0);
    // An alert takes it that only APIs have this series.
    const text = await scrape(`http://127.0.0.1:${port}`);
    expect(valueOf(text, 'bound_limit{bound="working_requests"}')).toBeUndefined();
  } finally {
    await webhooks.stop();
  }
});

test('a worker in an API’s process adds its uploads to the API’s metrics', async () => {
  const { system, api, stop } = await startWithSharedMetrics();
  try {
    const shop = await system.openShop('app-b');
    expect((await shop.upload(1)).status).toBe(200);
    const text = await scrape(api.url);
    expect(valueOf(text, 'menu_uploads_ended_total{app="app-b",state="uploaded"}')).toBe(1);
    expect(valueOf(text, 'menu_uploads_ended_total{app="app-a",state="failed"}')).toBe(0);
    expect(valueOf(text, 'menu_uploads{state="uploaded"}')).toBe(1);
    const call = (name: string, outcome: string) =>
      valueOf(text, `app_calls_total{app="app-b",call="${name}",outcome="${outcome}"}`);
    expect([call('fetchToken', 'token'), call('pushMenu', 'live')]).toEqual([1, 1]);
    expect(call('pushMenu', 'rejected')).toBe(0);
    expect(valueOf(text, 'app_call_duration_seconds_count{app="app-b",call="pushMenu"}')).toBe(1);
    expect(valueOf(text, 'postgres_connections_max{pool="api"}')).toBe(20);
    expect(valueOf(text, 'postgres_connections_max{pool="worker"}')).toBe(20);
    expect(valueOf(text, 'postgres_connections_max{pool="webhooks"}')).toBe(4);
    expect(valueOf(text, 'postgres_connections_max{pool="shards"}')).toBe(3);
  } finally {
    await stop();
  }
});

test('changes of availability are reported by app and state, and so are their calls', async () => {
  const { system, api, stopWorker, stop } = await startWithSharedMetrics();
  try {
    const shop = await system.openShop('app-b');
    await shop.upload(1);
    const calls = availabilityOf(system, shop);
    await calls.switch([{ external_id: 'I1', available: false }]);
    await shop.fault({ kind: 'status', status: 400, route: 'pause' });
    expect((await calls.pause()).status).toBe(409);
    await stopWorker();
    await calls.switch([{ external_id: 'I1', available: true }], { prefer: 'respond-async' });
    await system.sql`
      update availability_change set due_at = now() - interval '5 minutes' where state = 'queued'`;
    const { text } = await createMetrics({
      sql: system.sql,
      temporal: { isReachable: () => true },
    }).render();
    const changes = (app: string, state: string) =>
      valueOf(text, `availability_changes{app="${app}",state="${state}"}`);
    const states = ['queued', 'running', 'done', 'failed', 'superseded'];
    expect(states.map((state) => changes('app-b', state))).toEqual([1, 0, 1, 1, 0]);
    expect(states.map((state) => changes('app-a', state))).toEqual([0, 0, 0, 0, 0]);
    const late = (app: string) =>
      valueOf(text, `availability_changes_oldest_due_age_seconds{app="${app}"}`);
    expect(late('app-b')).toBeGreaterThan(290);
    expect(late('app-a')).toBe(0);
    const own = await scrape(api.url);
    const told = (call: string, outcome: string) =>
      valueOf(own, `app_calls_total{app="app-b",call="${call}",outcome="${outcome}"}`);
    expect([told('switchItems', 'switched'), told('pauseStore', 'rejected')]).toEqual([1, 1]);
  } finally {
    await stop();
  }
});

test('webhooks are reported by state, and waiting deliveries by type and shard', async () => {
  const webhookSystem = await prepareWebhookSystem();
  const { rows, receiver } = webhookSystem;
  const { sql } = webhookSystem.system;
  try {
    const metrics = createMetrics({ sql, temporal: { isReachable: () => true } });
    const paused = await rows.subscribe({ url: `${receiver.url}/paused` });
    const late = await rows.subscribe({ url: `${receiver.url}/late`, type: 1, beside: paused });
    await rows.subscribe({ url: `${receiver.url}/quiet` });
    await rows.put(paused, 3);
    await rows.put(late, 2);
    const hour = sql`interval '1 hour'`;
    await sql`update delivery set due_at = now() - ${hour}`;
    await sql`
      update subscription set paused_until = now() + ${hour}
      where subscription_id = ${paused.subscriptionId}`;
    const { shard } = paused;
    const other = (shard + 1) % 16;
    const { text } = await metrics.render();
    const webhooks = (type: string, state: string) =>
      valueOf(text, `webhook_subscriptions{type="${type}",state="${state}"}`);
    expect([webhooks('stock', 'paused'), webhooks('stock', 'enabled')]).toEqual([1, 1]);
    expect([webhooks('item_data', 'enabled'), webhooks('event', 'disabled')]).toEqual([1, 0]);
    const waiting = (name: string, type: string, of: number) =>
      valueOf(text, `webhook_deliveries_${name}{type="${type}",shard="${of}"}`);
    expect(waiting('pending', 'stock', shard)).toBe(3);
    expect(waiting('pending', 'item_data', shard)).toBe(2);
    expect(waiting('pending', 'item_data', other)).toBe(0);
    expect(waiting('oldest_due_age_seconds', 'item_data', shard)).toBeGreaterThan(3_000);
    // Its receiver is left alone: that is not late.
    expect(waiting('oldest_due_age_seconds', 'stock', shard)).toBe(0);
    expect(waiting('oldest_due_age_seconds', 'event', other)).toBe(0);
  } finally {
    await webhookSystem.stop();
  }
});
