import { availabilityOf } from '../support/availability-calls';
import type { Shop } from '../support/shop';
import { prepareSystem, startSystem, stopSystems, type System } from '../support/system';
import { until } from '../support/until';
import { read, untilItWaits, type Waiting, type WaitingFor } from '../support/waiting';

const NO_WAIT = { prefer: 'respond-async' };
const OFF = [{ external_id: 'I1', available: false }];
/** Long enough to be seen: a quick try comes after 3 s, and a round after 30 s. */
const TIMING = { quickPausesMs: [3_000], slowRetryMs: [30_000] } as const;

let system: System;
beforeAll(async () => {
  system = await startSystem({ env: { DELIVERY_APP_TIMEOUT: '30s' }, timing: TIMING });
});
afterAll(stopSystems);

const inSeconds = (seconds: number) => new Date(Date.now() + seconds * 1_000).toISOString();
const change = (id: string, of = system) => read<Waiting>(of, `/menus/availability/changes/${id}`);

async function openShop(): Promise<Shop> {
  const shop = await system.openShop('app-b');
  expect((await shop.upload(1)).status).toBe(200);
  return shop;
}

async function switchOff(shop: Shop, of = system): Promise<string> {
  const { changes } = await availabilityOf(of, shop).switch(OFF, NO_WAIT);
  return changes[0]?.change_id ?? '';
}

/** The list of items off sale says the same of the item's latest change. */
async function expectListed(shop: Shop, reason: string, of = system) {
  const [entry] = await availabilityOf(of, shop).list();
  expect(entry?.['waiting_for']).toMatchObject({ reason });
}

test.concurrent('a change that the app failed to make waits for it, quickly at first, then for a round; a pause too', async () => {
  const shop = await openShop();
  await shop.fault({ kind: 'status', status: 503, route: 'availability', times: 10 });
  await shop.fault({ kind: 'rate_limit', s: 60, route: 'pause' });
  const id = await switchOff(shop);
  const quick = await untilItWaits(() => change(id), 'app_unavailable');
  expect(quick).toMatchObject({ message: 'status 503', attempts: 1 });
  expect(Date.parse(quick.next_attempt_at ?? '') - Date.parse(quick.since)).toBeLessThan(4_000);
  await expectListed(shop, 'app_unavailable');
  await until(async () => (await change(id)).waiting_for?.attempts === 2);
  const slow = (await change(id)).waiting_for;
  expect(slow?.since).toBe(quick.since);
  expect(Date.parse(slow?.next_attempt_at ?? '') - Date.now()).toBeGreaterThan(10_000);

  const other = await openShop();
  await other.fault({ kind: 'rate_limit', s: 60, route: 'pause' });
  const calls = availabilityOf(system, other);
  const { changes } = await calls.pause({}, NO_WAIT);
  const pauseId = changes[0]?.change_id ?? '';
  await untilItWaits(() => change(pauseId), 'app_busy');
  expect((await calls.paused())?.['waiting_for']).toMatchObject({
    reason: 'app_busy',
    message: 'status 429',
  });
});

test.concurrent.each(['availability', 'pause'])(
  'an app that fails one call about %s gets the next one within seconds, not at the next round',
  async (route) => {
    const shop = await openShop();
    await shop.fault({ kind: 'status', status: 503, route });
    const calls = availabilityOf(system, shop);
    const answer = route === 'pause' ? await calls.pause() : await calls.switch(OFF);
    expect(answer).toMatchObject({ status: 200, changes: [{ state: 'done', waiting_for: null }] });
    const [first, second] = await shop.requests(route as 'pause');
    const pauseMs = Date.parse(second?.started_at ?? '') - Date.parse(first?.started_at ?? '');
    expect(pauseMs).toBeGreaterThan(2_900);
    expect(pauseMs).toBeLessThan(15_000);
  },
);

test.concurrent('an `until` that passes after failed calls ends the change, which says what the app said last; a pause too', async () => {
  const shop = await openShop();
  await shop.fault({ kind: 'status', status: 503, route: 'availability', times: 10 });
  await shop.fault({ kind: 'status', status: 500, route: 'pause', times: 10 });
  const calls = availabilityOf(system, shop);
  const items = [{ external_id: 'I1', available: false, until: inSeconds(6) }];
  const switched = await calls.switch(items);
  const state = 'superseded';
  expect(switched).toMatchObject({
    status: 200,
    changes: [{ state, messages: ['The time has passed.', 'status 503'], waiting_for: null }],
  });
  const other = await openShop();
  await other.fault({ kind: 'status', status: 500, route: 'pause', times: 10 });
  const paused = await availabilityOf(system, other).pause({ until: inSeconds(6) });
  expect(paused).toMatchObject({
    status: 200,
    changes: [{ state, messages: ['The time has passed.', 'status 500'], waiting_for: null }],
  });
});

test.concurrent('a change behind a push waits for the earlier menu, and says so to its caller', async () => {
  const shop = await openShop();
  await shop.fault({ kind: 'slow', ms: 6_000, route: 'upload' });
  await shop.upload(2, { headers: NO_WAIT });
  await until(async () => (await shop.requests('upload')).length === 2);
  const { changes } = await availabilityOf(system, shop).switch(OFF, NO_WAIT);
  const [told] = changes as unknown as { waiting_for: WaitingFor | null; change_id: string }[];
  expect(told?.waiting_for).toMatchObject({ reason: 'earlier_menu' });
  await expectListed(shop, 'earlier_menu');
});

test.concurrent('a change waits for its token, for the rate of the app, and for an integration that is inactive', async () => {
  const shop = await openShop();
  await system.sql`
    update app_token set expires_at = now(), renew_at = now()
    where credential_key like ${`%/${shop.integrationId}`}`;
  await shop.fault({ kind: 'slow', ms: 5_000, route: 'token' });
  const id = await switchOff(shop);
  await untilItWaits(() => change(id), 'token');
  await expectListed(shop, 'token');
  await until(async () => (await change(id)).state === 'done');

  const limited = await openShop();
  await switchOff(limited);
  await until(async () => (await limited.requests('availability')).length === 1);
  await system.sql`
    update availability_queue set next_call_at = now() + interval '70 s'
    where store_id = ${limited.storeId}::bigint`;
  const paced = await availabilityOf(system, limited).switch(
    [{ external_id: 'I2', available: false }],
    NO_WAIT,
  );
  const pacedId = paced.changes[0]?.change_id ?? '';
  const waits = await untilItWaits(() => change(pacedId), 'permit');
  expect(waits.next_attempt_at).not.toBeNull();

  const inactive = await openShop();
  await inactive.fault({ kind: 'status', status: 503, route: 'availability', times: 10 });
  const kept = await switchOff(inactive);
  await untilItWaits(() => change(kept), 'app_unavailable');
  await system.sql`
    update integration set active = false where integration_id = ${inactive.integrationId}::bigint`;
  expect((await change(kept)).waiting_for).toMatchObject({
    reason: 'disabled',
    message: 'Integration not available.',
  });
});

test('a change waits for Temporal while it is away', async () => {
  const first = await startSystem({});
  const shop = await first.openShop('app-b');
  await shop.upload(1);
  const away = await prepareSystem({
    env: { TEMPORAL_ADDRESS: '127.0.0.1:1', DATABASE_URL: first.env['DATABASE_URL'] ?? '' },
  });
  await away.startApi();
  const reading = { ...first, apiUrl: () => away.apiUrl() };
  const id = await switchOff(shop, reading);
  const waits = await untilItWaits(() => change(id, reading), 'temporal');
  expect(waits).toMatchObject({ attempts: 0, next_attempt_at: null });
  await expectListed(shop, 'temporal', reading);
});
