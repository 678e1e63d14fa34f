import { nameRows } from '../../src/console/sql/names';
import type { UserId } from '../../src/platform/ids';
import { startRollout } from '../support/rollouts';
import { addMenus, type ConsoleMenus } from './console-menus';
import { type ConsoleWorld, startConsoleWorld } from './console-world';
import { type Visitor, visit } from './visitor';

let world: ConsoleWorld;
let menus: ConsoleMenus;
let owner: Visitor;
let integration: string;

beforeAll(async () => {
  world = await startConsoleWorld();
  menus = await addMenus(world);
  owner = await visit(world.api.url, world.owner.token);
  const { integrationId } = world.rows.key;
  await world.api.sql`
    update integration set name = 'Main brand' where integration_id = ${integrationId}::bigint`;
  integration = `App B · Main brand (${integrationId})`;
});
afterAll(() => world.api.stop());

test('every page shows the app and the name of an integration beside its id', async () => {
  const paths = [
    '/console/uploads',
    `/console/uploads/${menus.liveId}`,
    `/console/uploads/${menus.liveId}/shown`,
    `/console/rollouts/${menus.rolloutId}`,
    '/console/availability',
    `/console/stores/${world.rows.key.storeId}`,
    `/console/stores/${world.rows.key.storeId}/preview`,
  ];
  for (const path of paths) {
    const { text } = await owner.get(path);
    expect([path, text.includes(integration)]).toEqual([path, true]);
  }
});

test('a user does not see the name of an integration that none of their stores is connected to', async () => {
  const { sql } = world.api;
  const [foreign] = await sql<{ id: string }[]>`
    insert into integration (app, name) values ('app-b', 'Secret brand')
    returning integration_id::text as id`;
  const id = foreign?.id ?? '';
  const { storeId } = world.rows.key;
  const rolloutId = await startRollout(world.owner, 4, [
    { store_id: storeId, integration_id: Number(id) },
  ]);
  const { text } = await owner.get(`/console/rollouts/${rolloutId}`);
  expect([
    text.includes(`<span class="whole">${id}</span></div></td>`),
    text.includes('Secret brand'),
  ]).toEqual([true, false]);
  const place = { store_id: storeId, integration_id: id };
  const viewer = { userId: world.owner.userId as UserId, seesAll: false };
  expect((await nameRows(sql, viewer, [place])).integrations).toEqual(new Map());
  expect((await nameRows(sql, { ...viewer, seesAll: true }, [place])).integrations).toEqual(
    new Map([[id, { app: 'app-b', name: 'Secret brand' }]]),
  );
});

test('every page shows the name of a store beside its id to the users who have it', async () => {
  const { sql } = world.api;
  const { storeId } = world.rows.key;
  await sql`update store set name = 'Centro' where store_id = ${storeId}::bigint`;
  const paths = [
    '/console/uploads',
    `/console/uploads/${menus.liveId}`,
    `/console/rollouts/${menus.rolloutId}`,
    '/console/availability',
    '/console/deliveries',
    `/console/deliveries/${world.deliveryId}`,
    '/console/stores',
  ];
  for (const path of paths) {
    const { text } = await owner.get(path);
    expect([
      path,
      text.includes(
        `<a href="/console/stores/${storeId}"><span class="whole">Centro (${storeId})<`,
      ),
    ]).toEqual([path, true]);
  }
  const named = async (viewer: { userId: string; seesAll: boolean }) => {
    const seen = { ...viewer, userId: viewer.userId as UserId };
    return (await nameRows(sql, seen, [{ store_id: storeId }])).stores;
  };
  const { userId } = await world.api.user();
  expect(await named({ userId, seesAll: false })).toEqual(new Map());
  expect(await named({ userId, seesAll: true })).toEqual(new Map([[String(storeId), 'Centro']]));
});

test('a delivery shows the name of its inventory system only to users to whom the API shows it', async () => {
  const path = `/console/deliveries/${world.deliveryId}`;
  expect((await owner.get(path)).text).toContain(`Stock keeper (${world.systemId})`);
  expect((await owner.get('/console/deliveries')).text).toContain('>Stock keeper<');
  // Sees the delivery by its store; the system is not theirs.
  const cashier = await world.api.user();
  await world.api.sql`
    insert into user_store (store_id, user_id)
    values (${world.rows.key.storeId}::bigint, ${cashier.userId})`;
  const visitor = await visit(world.api.url, cashier.token);
  for (const each of [path, '/console/deliveries']) {
    const { text } = await visitor.get(each);
    expect([each, text.includes(world.systemId)]).toEqual([each, true]);
    expect(text).not.toContain('Stock keeper');
  }
});

test('the overview names the store and integration of a failed upload, and the system of a webhook that gets nothing', async () => {
  const uploadId = await world.rows.insert({ text: 'a menu that fails' });
  await world.api.sql`
    update menu_upload set state = 'failed', finished_at = '2026-01-02T03:04:05Z'
    where upload_id = ${uploadId}`;
  await owner.send(`/console/webhooks/${world.systemId}/2/disable`);
  const { text } = await owner.get('/console');
  expect(text).toMatch(/Webhooks that do not take what is sent.*Stock keeper/s);
  const failures = text.slice(text.indexOf('Stores with something wrong'));
  expect([failures.includes(integration), failures.includes('2026-01-02 03:04:05')]).toEqual([
    true,
    true,
  ]);
});

test('a menu that is published again leads to the new upload', async () => {
  const { status, headers } = await owner.send(`/console/uploads/${menus.liveId}/republish`);
  const location = headers.get('location') ?? '';
  expect([status, location]).toEqual([303, expect.stringMatching(/^\/console\/uploads\/upl_\w+$/)]);
  expect(location).not.toContain(menus.liveId);
  expect((await owner.get(location)).text).toMatch(
    new RegExp(`Published again from</dt><dd><a href="/console/uploads/${menus.liveId}">`),
  );
});

test('only an upload that reached the app leads to what the app shows and what it changed', async () => {
  expect(await linked(menus.liveId)).toEqual([true, true]);
  expect(await linked(world.failedId)).toEqual([false, false]);
  expect(await linked(world.uploadId)).toEqual([false, false]);
});

test('a page that the API refuses leads back to its section', async () => {
  const { status, text } = await owner.get('/console/deliveries?state=wrong');
  expect([status, text.includes('<a href="/console/deliveries">Back</a>')]).toEqual([422, true]);
});

/** Whether the page of an upload leads to what the app shows of it, and to what it changed. */
async function linked(id: string): Promise<boolean[]> {
  const { text } = await owner.get(`/console/uploads/${id}`);
  return ['shown', 'changes'].map((page) => text.includes(`href="/console/uploads/${id}/${page}"`));
}
