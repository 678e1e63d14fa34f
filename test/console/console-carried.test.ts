import { endedDeliveries, type AddEnded } from './ended-deliveries';
import { type ConsoleWorld, startConsoleWorld } from './console-world';
import { type Visitor, visit } from './visitor';

/* What each message to a stock system is about stands where the message does. */

let world: ConsoleWorld;
let addEnded: AddEnded;
let owner: Visitor;

beforeAll(async () => {
  world = await startConsoleWorld();
  addEnded = await endedDeliveries(world);
  owner = await visit(world.api.url, world.owner.token);
});
afterAll(() => world.api.stop());

/** What a page says that a delivery is about. */
async function whatOf(path: string, deliveryId: string): Promise<string> {
  const { status, text } = await owner.get(path);
  expect([path, status]).toEqual([path, 200]);
  const rows = text.split('<tr').filter((row) => row.includes(`title="${deliveryId}"`));
  expect(rows).toHaveLength(1);
  return (/data-label="What"><div>(.*?)<\/div>/.exec(rows[0] ?? '')?.[1] ?? '').replaceAll(
    /<[^>]+>/g,
    '',
  );
}

const movement = {
  external_id: 'taco-al-pastor',
  quantity: '2',
  current_stock: '18',
  movement_type: 2,
};
const ended = { state: 'acknowledged', agoMs: 60_000, ms: 200 } as const;

test.each([
  ['an item was removed', { payload: movement }, 'taco-al-pastor −2, 18 left'],
  [
    'an item was added',
    { payload: { ...movement, movement_type: 1 } },
    'taco-al-pastor +2, 18 left',
  ],
  // A POS may write what it removes as a negative number.
  ['with a sign', { payload: { ...movement, quantity: '-2.50' } }, 'taco-al-pastor −2.50, 18 left'],
  ['a test names no item', { payload: { ...movement, external_id: '' } }, 'a test of stock'],
  [
    'item data',
    { type: 1, payload: { items: [{ external_id: 'beer' }, { id: 7 }, { name: 'Rum' }] } },
    'data of 3 items: beer, 7 and more',
  ],
  ['item data without names', { type: 1, payload: { items: [[], 1] } }, 'data of 2 items'],
  [
    'item data that is too large to be looked into',
    {
      type: 1,
      payload: { items: Array.from({ length: 2_000 }, () => ({ id: Math.random().toString(36) })) },
    },
    'items (1)',
  ],
] as const)('%s', async (_what, given, words) => {
  const id = await addEnded({ ...ended, ...given });
  const { storeId } = world.rows.key;
  for (const path of [
    '/console/deliveries',
    `/console/deliveries?store_id=${storeId}`,
    `/console/stores/${storeId}`,
  ]) {
    expect(await whatOf(path, id)).toBe(words);
  }
  const { text } = await owner.get(`/console/deliveries/${id}`);
  const onItsPage = words === 'items (1)' ? '–' : words;
  expect(text.replaceAll(/<[^>]+>/g, '')).toContain(`What${onItsPage}`);
  await world.api.sql`delete from ended_delivery where delivery_id = ${id}`;
});

test('one that waits is on the page of the store too, with what it is about', async () => {
  const words = await whatOf(`/console/stores/${world.rows.key.storeId}`, world.deliveryId);
  expect(words).toMatch(/^\S+ [−+]\S+, \S+ left$/);
});

test('events carry no item', async () => {
  await world.owner.post('/events/webhook/manage', { url: 'http://127.0.0.1:9/events' });
  expect((await owner.get('/console/deliveries?events=true')).status).toBe(200);
});
