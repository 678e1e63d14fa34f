import { availabilityOf } from '../support/availability-calls';
import { until } from '../support/until';
import type { Shop, SimulatedAppName } from '../support/shop';
import { startSystem, stopSystems, type System } from '../support/system';

const APPS: readonly SimulatedAppName[] = ['app-a', 'app-b', 'app-c', 'app-d'];
const DAY_MS = 86_400_000;

let system: System;
beforeAll(async () => {
  system = await startSystem({
    env: { APP_D: 'rappi' },
    timing: { approvalFirstMs: 100, approvalEveryMs: 200 },
  });
});
afterAll(stopSystems);

async function openZonedShop(app: SimulatedAppName): Promise<Shop> {
  const shop = await system.openShop(app);
  expect((await shop.upload(1)).status).toBe(200);
  expect((await availabilityOf(system, shop).setTimeZone('Europe/Madrid')).status).toBe(200);
  return shop;
}

const dayIn = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10);
const monthAndDay = (date = '') => date.slice(-5);
const HOURS = [{ start: '10:00', end: '15:00' }];

/** As guests of the app meet them; App D has no years. */
async function shownDays(shop: Shop) {
  const days = (await shop.store()).special_days.map(({ date, periods }) => ({
    date: date.slice(-5),
    periods,
  }));
  return days.toSorted((one, other) => one.date.localeCompare(other.date));
}

const CANNOT = 'This delivery cannot clear special days.';
/** What an app says that keeps its last ones. */
const CLEARED: Readonly<Record<string, object>> = {
  'app-c': {
    status: 409,
    message: ['Could not update the store in delivery system.', CANNOT],
    changes: [{ state: 'failed', messages: [CANNOT] }],
  },
};

describe.each(APPS)('%s', (app) => {
  test.concurrent('special days are set, replaced and taken away', async () => {
    const shop = await openZonedShop(app);
    const calls = availabilityOf(system, shop);
    const [first, second, third] = [20, 21, 22].map(dayIn);
    const days = [
      { date: first, periods: HOURS, name: 'Eve' },
      { date: second, closed: true },
    ];
    const answer = await calls.setDays(days);
    expect(answer).toMatchObject({
      status: 200,
      message: 'Special days successfully set.',
      changes: [{ integration_id: String(shop.integrationId), state: 'done', messages: [] }],
    });
    const wanted = [
      { date: monthAndDay(first), periods: HOURS },
      { date: monthAndDay(second), periods: [] },
    ].toSorted((one, other) => one.date.localeCompare(other.date));
    expect(await shownDays(shop)).toEqual(wanted);
    expect(await calls.days()).toEqual({
      days,
      integrations: [{ integration_id: String(shop.integrationId), state: 'done', message: null }],
    });
    expect(await calls.change(answer.changes[0]?.change_id ?? '')).toMatchObject({
      kind: 'special_days',
      state: 'done',
      items: [],
    });

    expect((await calls.setDays([{ date: third, closed: true }])).status).toBe(200);
    expect(await shownDays(shop)).toEqual([{ date: monthAndDay(third), periods: [] }]);
    // A menu changes nothing.
    expect((await shop.upload(2)).status).toBe(200);
    expect(await shownDays(shop)).toHaveLength(1);

    const cleared = await calls.setDays([]);
    expect(cleared).toMatchObject(CLEARED[app] ?? { status: 200, changes: [{ state: 'done' }] });
    const { state, messages } = cleared.changes[0] ?? {};
    expect(await calls.days()).toMatchObject({
      days: [],
      integrations: [{ state, message: messages?.[0] ?? null }],
    });
    expect(await shownDays(shop)).toHaveLength(app in CLEARED ? 1 : 0);
  });
});

test.concurrent('an app that fails is asked again, and gets the newest days', async () => {
  const shop = await openZonedShop('app-b');
  const calls = availabilityOf(system, shop);
  await shop.fault({ kind: 'status', status: 503, route: 'special_days' });
  await shop.fault({ kind: 'reset_before', route: 'special_days' });
  const first = calls.setDays([{ date: dayIn(3), closed: true }]);
  await until(async () => (await shop.requests('special_days')).length > 0);
  const second = await calls.setDays([{ date: dayIn(4), closed: true }]);
  expect((await first).status).toBe(200);
  expect(second).toMatchObject({ status: 200, changes: [{ state: 'done' }] });
  await until(async () => (await shownDays(shop)).length === 1);
  expect(await shownDays(shop)).toEqual([{ date: dayIn(4).slice(5), periods: [] }]);
});

test.concurrent('App C says that it did not take them', async () => {
  const shop = await openZonedShop('app-c');
  const calls = availabilityOf(system, shop);
  await shop.fault({ kind: 'days_refused' });
  const sentence = 'The delivery system did not take the special days.';
  expect(await calls.setDays([{ date: dayIn(2), closed: true }])).toMatchObject({
    status: 409,
    changes: [{ state: 'failed', messages: [sentence] }],
  });
  expect(await calls.days()).toMatchObject({
    integrations: [{ state: 'failed', message: sentence }],
  });
});

test.concurrent('a date that is over is taken away from App D by a timer, and kept by apps that know its year', async () => {
  const shops = [await openZonedShop('app-d'), await openZonedShop('app-b')] as const;
  for (const shop of shops) {
    const calls = availabilityOf(system, shop);
    const days = [1, 9].map((ahead) => ({ date: dayIn(ahead), closed: true }));
    expect((await calls.setDays(days)).status).toBe(200);
    expect(await shownDays(shop)).toHaveLength(2);
    // As if the first of them had been yesterday, and ended in a moment.
    const [date, left] = [dayIn(-2), days[1]];
    await system.sql`
      update store_special_days set next_look_at = now() + interval '2 s',
        days = ${JSON.stringify([{ date, closed: true }, left])}::text::json
      where store_id = ${shop.storeId}::bigint`;
  }
  const [appD, appB] = shops;
  await until(async () => (await shownDays(appD)).length === 1);
  expect(await shownDays(appD)).toEqual([{ date: dayIn(9).slice(5), periods: [] }]);
  expect(await shownDays(appB)).toHaveLength(2);
  await until(async () => {
    const { integrations } = await availabilityOf(system, appD).days();
    return integrations[0]?.['state'] === 'done';
  });
  await until(async () => {
    const kept = await system.sql<{ days: readonly unknown[] }[]>`
      select days from store_special_days where store_id = ${appB.storeId}::bigint`;
    return kept[0]?.days.length === 1;
  });
  expect(await timesTold(appB)).toBe(1);
});

/** How often the app was told. */
const timesTold = async (shop: Shop) => (await shop.requests('special_days')).length;

test.concurrent('a store without a time zone has no special days, and one with some keeps its zone', async () => {
  const shop = await system.openShop('app-b');
  const calls = availabilityOf(system, shop);
  const needsZone = { status: 409, message: ['The store must have a time zone.'] };
  const days = [{ date: dayIn(5), closed: true }];
  expect(await calls.setDays(days)).toMatchObject(needsZone);
  await calls.setTimeZone('America/Santiago');
  expect((await calls.setDays(days)).status).toBe(200);
  expect(await calls.setTimeZone(null)).toMatchObject({
    status: 409,
    json: { message: needsZone.message, data: null },
  });
  expect((await calls.setTimeZone('Europe/Madrid')).status).toBe(200);
  expect((await calls.days()).days).toEqual(days);
  expect((await calls.setDays([])).status).toBe(200);
  expect((await calls.setTimeZone(null)).status).toBe(200);
});

test.concurrent('an app that was not named keeps its days, which is said', async () => {
  const shop = await openZonedShop('app-a');
  const calls = availabilityOf(system, shop);
  const days = [{ date: dayIn(5), closed: true }];
  expect((await calls.setDays(days)).status).toBe(200);
  const other = await calls.setDays([], { integration_ids: ['999999'] });
  expect(other).toMatchObject({
    status: 409,
    message: ['Could not update the store in delivery system.', 'Integration not available.'],
  });
  expect(await calls.days()).toEqual({
    days: [],
    integrations: [
      {
        integration_id: String(shop.integrationId),
        state: 'done',
        message: 'This delivery has other special days.',
      },
    ],
  });
});
