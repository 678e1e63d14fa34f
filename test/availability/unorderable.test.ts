import { availabilityOf } from '../support/availability-calls';
import { fieldCallsOf } from '../support/field-calls';
import { readFieldMenu } from '../support/field-menu';
import type { Shop, SimulatedAppName } from '../support/shop';
import { startSystem, stopSystems, type System } from '../support/system';
import { until, untilFound } from '../support/until';

const APPS: readonly SimulatedAppName[] = ['app-a', 'app-b', 'app-c', 'app-d'];
const UNORDERABLE = 'The item can not be ordered while its options are off sale: lunch';

let system: System;
beforeAll(async () => {
  system = await startSystem({
    env: { APP_D: 'rappi' },
    timing: { approvalFirstMs: 100, approvalEveryMs: 200 },
  });
});
afterAll(stopSystems);

/** A shop with a lunch that demands two of three sides. */
async function openLunch(app: SimulatedAppName): Promise<Shop> {
  const shop = await system.openShop(app);
  const lunch = readFieldMenu('18-options-off-sale-below-minimum');
  expect((await fieldCallsOf(system, shop).upload(lunch)).status).toBe(200);
  return shop;
}

test.concurrent.each(APPS)(
  'in %s a change that leaves too few options on sale says which item cannot be ordered, and is done',
  async (app) => {
    const calls = availabilityOf(system, await openLunch(app));
    const one = await calls.switch([{ external_id: 'fries', available: false }]);
    expect(one.changes).toMatchObject([{ state: 'done', messages: [] }]);
    const two = await calls.switch([{ external_id: 'soup', available: false }]);
    expect(two).toMatchObject({ status: 200, message: 'Availability successfully updated.' });
    expect(two.changes).toMatchObject([{ state: 'done', messages: [UNORDERABLE] }]);
    const [{ change_id: id } = { change_id: '' }] = two.changes;
    expect(await calls.change(id)).toMatchObject({
      state: 'done',
      messages: [UNORDERABLE],
      items: [{ external_id: 'soup', state: 'done', message: null }],
    });
    const back = await calls.switch([{ external_id: 'soup', available: true }]);
    expect(back.changes).toMatchObject([{ state: 'done', messages: [] }]);
  },
);

test.concurrent('a change by stock says so too', async () => {
  const shop = await openLunch('app-b');
  const calls = availabilityOf(system, shop);
  await calls.setFromStock('on');
  await calls.moveStock('fries', '0', '2026-01-01');
  await calls.moveStock('salad', '0', '2026-01-01');
  await until(async () => (await shop.store()).off.length === 2);
  const done = await untilFound(async () => {
    const changes = await system.sql<{ messages: string[] }[]>`
      select messages from availability_change
      where store_id = ${shop.storeId}::bigint and cause = 'stock' and state = 'done'`;
    return changes.length === 2 ? changes : undefined;
  });
  expect(done.flatMap(({ messages }) => messages)).toContain(UNORDERABLE);
});
