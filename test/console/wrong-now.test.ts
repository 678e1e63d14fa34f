import { addMenus, type ConsoleMenus } from './console-menus';
import { type ConsoleWorld, startConsoleWorld } from './console-world';
import { type Visitor, visit } from './visitor';

let world: ConsoleWorld;
let menus: ConsoleMenus;
let owner: Visitor;
let stranger: Visitor;

beforeAll(async () => {
  world = await startConsoleWorld();
  menus = await addMenus(world);
  owner = await visit(world.api.url, world.owner.token);
  stranger = await visit(world.api.url, (await world.api.user()).token);
});
afterAll(() => world.api.stop());

/** What is wrong by the overview of the owner; another user must see none of it. */
async function wrongNow(): Promise<string> {
  const [mine, others] = await Promise.all([owner.get('/console'), stranger.get('/console')]);
  for (const sentence of NONE) expect(others.text).toContain(sentence);
  return mine.text.slice(mine.text.indexOf('Wrong now'), mine.text.indexOf('Lately'));
}

const NONE = [
  'No upload waits for an app that is away.',
  'No item is on sale that should not be.',
  'No live menu is known to have drifted.',
  'No rollout stopped in the last 7 days.',
];

describe('wrong now', () => {
  test('is nothing of what waits for its turn, is off sale, is live or runs', async () => {
    await world.api.sql`
      update menu_upload set state = 'running', next_attempt_at = now() + interval '1 min', waits_for = 'push/1'
      where upload_id = ${world.uploadId}`;
    const text = await wrongNow();
    for (const sentence of NONE) expect(text).toContain(sentence);
  });

  test('is an app that did not take uploads, with how many wait, the oldest, and what it said', async () => {
    await world.api.sql`
      update menu_upload set state = 'running', waits_for = null, next_attempt_at = now() + interval '1 min',
        messages = '["Could not upload.", "The app is away."]'
      where upload_id = ${world.uploadId}`;
    const text = await wrongNow();
    expect(text).toContain(`href="/console/uploads/${world.uploadId}"`);
    expect(text).toContain('The app is away.');
  });

  test('is an item that should be off sale and whose change failed', async () => {
    const { storeId, integrationId } = world.rows.key;
    await world.api.sql`
      update menu_upload set item_ids = item_ids || '{"I7": ["I7"]}' where upload_id = ${menus.liveId}`;
    await world.owner.post('/menus/availability', {
      store_id: storeId,
      integration_ids: [integrationId],
      items: [{ external_id: 'I7', available: false }],
    });
    expect(await wrongNow()).not.toContain('I7');
    await world.api.sql`update availability_item set state = 'failed' where external_id = 'I7'`;
    expect(await wrongNow()).toContain('I7');
  });

  test('is a live menu that drifted', async () => {
    await world.api.sql`
      update publication set drift_state = 'changed', drift_checked_at = now(), drift_changes_count = 3
      where live_upload_id = ${menus.liveId}`;
    expect(await wrongNow()).toContain(`href="/console/uploads/${menus.liveId}"`);
  });

  test('is a rollout that stopped lately', async () => {
    const { sql } = world.api;
    await sql`
      update rollout set state = 'stopped', finished_at = now() where rollout_id = ${menus.rolloutId}`;
    expect(await wrongNow()).toContain(`href="/console/rollouts/${menus.rolloutId}"`);
    await sql`update rollout set finished_at = now() - interval '8 days'`;
    expect(await wrongNow()).not.toContain(menus.rolloutId);
  });

  test('is work that has been due for more than two minutes', async () => {
    expect(await wrongNow()).not.toContain('too long');
    await world.api.sql`
      update delivery set due_at = now() - interval '10 min' where delivery_id = ${world.deliveryId}`;
    expect(await wrongNow()).toContain('<span class="state bad">10 min: too long</span>');
  });
});
