import { PassThrough } from 'node:stream';
import { until } from '../support/until';
import { type ConsoleMenus, addMenus } from './console-menus';
import { type ConsoleWorld, startConsoleWorld } from './console-world';
import { type Visitor, visit } from './visitor';

let world: ConsoleWorld;
let menus: ConsoleMenus;
let owner: Visitor;
let stranger: Visitor;
const lines: string[] = [];

beforeAll(async () => {
  const logTo = new PassThrough().setEncoding('utf8').on('data', (text: string) => {
    lines.push(...text.split('\n').filter(Boolean));
  });
  world = await startConsoleWorld({ LOG_LEVEL: 'info' }, { logTo });
  menus = await addMenus(world);
  owner = await visit(world.api.url, world.owner.token);
  stranger = await visit(world.api.url, (await world.api.user()).token);
});
afterAll(() => world.api.stop());

describe('an upload', () => {
  test('is shown as the app shows it, with each loss beside its menu entity, or apart if that is not shown', async () => {
    const { status, text } = await owner.get(`/console/uploads/${menus.liveId}/shown`);
    expect(status).toBe(200);
    expect(text).toContain('Margherita, version 2.');
    expect(text).toContain('149.00');
    // The form above the page's content carries a random token, which may contain any two letters.
    const content = text.slice(text.indexOf('<main'));
    const apart = content.indexOf('Other losses');
    expect(content.slice(apart)).toContain('I9');
    expect(content.slice(0, apart)).not.toContain('I9');
  });

  test('is compared with the menu that was live before, side by side', async () => {
    const { status, text } = await owner.get(`/console/uploads/${menus.liveId}/changes`);
    expect(status).toBe(200);
    expect(text).toContain(`<a href="/console/uploads/${menus.previousId}">`);
    expect(text).toMatch(/Margherita, version 1\..*Margherita, version 2\./s);
    expect(text).toContain('Tiramisu');
  });

  test('is compared with the live menu if that is chosen, page by page', async () => {
    const path = `/console/uploads/${menus.liveId}/changes`;
    expect((await owner.get(`${path}?against=live`)).text).toContain('The two menus are the same.');
    const { text } = await owner.get(`${path}?limit=1`);
    const next = /href="([^"]+)" rel="next"/.exec(text)?.[1]?.replaceAll('&amp;', '&') ?? '';
    expect((await owner.get(next)).status).toBe(200);
  });

  test('without a payload says so instead of a page', async () => {
    const { status, text } = await owner.get(`/console/uploads/${world.failedId}/shown`);
    expect([status, text.includes('The upload has no payload.')]).toEqual([404, true]);
  });
});

describe('a rollout', () => {
  test('is listed with its targets, and canceled after a confirmation', async () => {
    expect((await owner.get('/console/rollouts')).text).toContain(menus.rolloutId);
    expect((await owner.get('/console/rollouts?state=reverted')).text).toContain('There are none.');
    const path = `/console/rollouts/${menus.rolloutId}`;
    expect((await owner.get(path)).text).toContain(`action="${path}/cancel"`);
    expect((await owner.get(`${path}?state=uploaded`)).text).toContain('There are none.');
    const { status, headers } = await owner.send(`${path}/cancel`);
    expect([status, headers.get('location')]).toEqual([303, path]);
    const { text } = await owner.get(path);
    expect(text).toContain('>canceled<');
  });

  test('can be reverted when it has ended', async () => {
    const path = `/console/rollouts/${menus.rolloutId}`;
    expect((await owner.send(`${path}/revert`)).text).toContain('The rollout is still running.');
    await world.api.sql`
      update rollout set state = 'done', finished_at = now() where rollout_id = ${menus.rolloutId}`;
    expect((await owner.get(path)).text).toContain(`action="${path}/revert"`);
    expect((await owner.send(`${path}/revert`)).status).toBe(303);
    expect((await owner.get(path)).text).toContain('Reverting.');
    expect((await owner.send(`${path}/cancel`)).text).toContain(
      'The rollout can no longer be canceled.',
    );
  });
});

test('an item off sale is listed and put back on sale', async () => {
  const { text } = await owner.get('/console/availability');
  expect(text).toContain('can order I2 again');
  const { storeId, integrationId } = world.rows.key;
  const fields = { store_id: String(storeId), integration_id: String(integrationId) };
  const { status } = await owner.send('/console/availability/restore', {
    ...fields,
    external_id: 'I2',
  });
  expect(status).toBe(303);
  const [row] = await world.api.sql<{ count: number }[]>`
    select count(*)::int as count from availability_change where store_id = ${storeId}::bigint`;
  expect(row?.count).toBe(1);
});

test('a store shows its live menus, and is paused in one app', async () => {
  const path = `/console/stores/${world.rows.key.storeId}`;
  expect((await owner.get(path)).text).toContain(menus.liveId);
  const integration_id = String(world.rows.key.integrationId);
  expect((await owner.send(`${path}/pause`, { integration_id })).status).toBe(303);
  const { text } = await owner.get(path);
  expect(text).toContain(`action="${path}/resume"`);
  expect((await owner.send(`${path}/resume`, { integration_id })).status).toBe(303);
  expect((await owner.get(path)).text).toContain(`action="${path}/pause"`);
});

test('another user can neither see nor change any of it', async () => {
  for (const path of [
    `/console/uploads/${menus.liveId}/shown`,
    `/console/uploads/${menus.liveId}/changes`,
    `/console/rollouts/${menus.rolloutId}`,
  ]) {
    expect([path, (await stranger.get(path)).status]).toEqual([path, 404]);
  }
  expect((await stranger.get('/console/rollouts')).text).not.toContain(menus.rolloutId);
  expect((await stranger.get('/console/availability')).text).toContain('Everything is on sale.');
  const refused = await stranger.send(`/console/stores/${world.rows.key.storeId}/pause`, {
    integration_id: String(world.rows.key.integrationId),
  });
  expect(refused.status).toBe(409);
});

test('what is made in the console has the id of the page’s request, whose log line names it', async () => {
  const { status, headers } = await owner.send(`/console/uploads/${menus.liveId}/republish`);
  expect(status).toBe(303);
  const requestId = headers.get('x-request-id');
  const rows = await world.api.sql<{ uploadId: string }[]>`
    select upload_id from menu_upload where request_id = ${requestId}`;
  expect(rows).toHaveLength(1);
  const lineOfRequest = () =>
    lines.map((line) => JSON.parse(line)).find((line) => line.request_id === requestId);
  await until(() => lineOfRequest() !== undefined);
  expect(lineOfRequest()).toMatchObject({ status: 303, upload_id: rows[0]?.uploadId });
});
