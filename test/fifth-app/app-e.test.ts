/** @own-modules: adds an app to the list of them. */
import { addDeliveryApp } from '../../src/delivery-apps/registry';
import { carryOutPreview, type PreviewedMenu } from '../../src/preview/preview-task';
import { describeDeliveryApp } from '../delivery-apps/delivery-app-conformance';
import { availabilityOf } from '../support/availability-calls';
import { judgeRandomMenu } from '../support/judge-random-menus';
import { startSystem, stopSystems } from '../support/system';
import { versionedMenu } from '../support/versioned-menu';
import { appE } from './app-e';
import { keyedAppE } from './keyed-app-e';
import { createAppE as simulate, violations } from './simulated-app-e';

addDeliveryApp(appE);
afterAll(stopSystems);

const store = { appStoreId: 'shop-1', currencyExponent: 2, locale: 'es_mx' } as const;
const told = { unknownStore: 'unknown-shop', unreadableSuccess: 'unknown' } as const;
describeDeliveryApp({ app: appE, simulate, store, violations, ...told });
describeDeliveryApp({
  app: keyedAppE,
  simulate: (options) => simulate({ ...options, keyIsToken: true }),
  keyIsToken: true,
  store,
  violations,
  ...told,
});

test('none of 300 random menus is refused without a predicted loss, and each difference has its loss', () => {
  const differences = { limitsOnItems: true, freeUnits: 'any' } as const;
  const app = { name: 'example-app', menus: 1, differences, settings: () => ({}), violations };
  const judged = Array.from({ length: 300 }, (_, seed) => judgeRandomMenu(app, seed));
  expect(judged.filter((one) => one.verdict === 'accepted').length).toBeGreaterThan(150);
  expect(judged.flatMap((one) => [...one.violations, ...one.unnamed, ...one.idle])).toEqual([]);
});

test('a preview shows what the app will show', () => {
  const text = Buffer.from(JSON.stringify(versionedMenu(7)));
  const task = {
    kind: 'preview',
    app: 'example-app',
    isConfigured: true,
    request: '1',
    store,
  } as const;
  const asked = {
    text,
    include: ['shown'],
    unavailableIds: ['I1'],
    today: '2026-11-28',
    live: null,
  } as const;
  const { members } = carryOutPreview({ ...task, ...asked }) as PreviewedMenu;
  const { losses, shown } = JSON.parse(`{${Buffer.concat(members).toString()}}`);
  expect(losses).toEqual([]);
  expect(shown.items).toMatchObject([{ price: '14900', available: false }, { available: true }]);
});

test('the service uploads, keeps an item off sale, pauses the store and reads the menu back', async () => {
  const system = await startSystem({});
  const shop = await system.openShop({ name: 'example-app', simulate });
  const calls = availabilityOf(system, shop);
  expect((await shop.upload(1)).status).toBe(200);
  expect((await calls.switch([{ external_id: 'I1', available: false }])).status).toBe(200);
  expect((await shop.upload(2)).status).toBe(200);
  expect(await shop.shown()).toBe('2');
  expect((await shop.timeline()).map(({ off }) => off)).toEqual([[], ['I1'], ['I1']]);
  expect((await calls.pause()).status).toBe(200);
  expect((await shop.store()).paused).toBe(true);
  expect((await calls.checkLive()).data.drift.state).toBe('same');
  await shop.showInstead(JSON.parse(JSON.stringify(await shop.payload()).replace('Water', 'Wine')));
  expect((await calls.checkLive()).data.drift.state).toBe('changed');
});
