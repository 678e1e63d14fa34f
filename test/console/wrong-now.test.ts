import { TROUBLE_WORDS, WAITING_WORDS, WEBHOOK_WORDS } from '../../src/contract/plain-words';
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
  expect(others.text).toMatch(/Nothing is wrong<\/span> in what you see|too long/);
  expect(others.text).not.toContain('Stores with something wrong');
  return mine.text.slice(mine.text.indexOf('Wrong now'), mine.text.indexOf('Lately'));
}

describe('wrong now', () => {
  test('is nothing of what waits for its turn, is off sale, is live or runs', async () => {
    await world.api.sql`
      update menu_upload set state = 'running', next_attempt_at = now() + interval '1 min', waits_for = 'push/1'
      where upload_id = ${world.uploadId}`;
    await world.api
      .sql`update menu_upload set state = 'uploaded' where upload_id = ${world.failedId}`;
    expect(await wrongNow()).toContain('Nothing is wrong</span> in what you see');
  });

  test('is an upload that the app did not take, with why, since when, what the app said and what to do', async () => {
    await world.api.sql`
      update menu_upload set state = 'running', waits_for = null, next_attempt_at = now() + interval '1 min',
        wait_reason = 'app_unavailable', retry_reason = 'status 503', failed_tries = 4,
        waiting_since = '2026-01-02T03:04:05Z', created_at = '2026-01-02T03:04:00Z'
      where upload_id = ${world.uploadId}`;
    const text = await wrongNow();
    expect(text).toContain(`href="/console/uploads/${world.uploadId}"`);
    expect(text).toContain(`href="/console/stores/${world.rows.key.storeId}"`);
    expect(text).toContain('The delivery app does not answer, or answers with an error.');
    expect(text).toContain('It was said: “status 503”');
    expect(text).toContain(`<strong>What to do:</strong> ${WAITING_WORDS.app_unavailable.todo}`);
    expect(text).toContain('<time datetime="2026-01-02T03:04:05.000Z">');
    // The next try is under way: it still waits for what it waited for.
    await world.api.sql`
      update menu_upload set next_attempt_at = now() - interval '1 s' where upload_id = ${world.uploadId}`;
    expect(await wrongNow()).toContain('It was said: “status 503”');
  });

  test('is a message that has waited for more than a minute, in the store that it is about', async () => {
    await world.api.sql`
      update delivery set created_at = now() - interval '25 min' where delivery_id = ${world.deliveryId}`;
    const text = await wrongNow();
    expect(text).toContain(`<strong>One message: </strong>${TROUBLE_WORDS.messages_wait.means}`);
    expect(text).toContain(
      `href="/console/deliveries?store_id=${world.rows.key.storeId}&amp;state=pending"`,
    );
  });

  test('is a webhook that fails, before it is paused too, with what waits for it', async () => {
    await world.api.sql`
      update subscription set failing_since = now() - interval '5 min' where inventory_system_id = ${world.systemId}::uuid`;
    const text = await wrongNow();
    expect(text).toContain('<span class="state warn">failing</span>');
    expect(text).toContain(WAITING_WORDS.receiver_failing.means);
    expect(text).not.toContain(WEBHOOK_WORDS.paused.means);
    expect(text).toMatch(/data-label="Waiting"><div>1, the oldest since <time/);
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

  test('is a store that is paused, with since when, until when and why', async () => {
    const { storeId, integrationId } = world.rows.key;
    const until = new Date(Date.now() + 3_600_000);
    const { status } = await world.owner.post(`/store/${storeId}/pause`, {
      integration_ids: [integrationId],
      reason: 'No gas in the kitchen',
      until: until.toISOString(),
    });
    expect(status).toBeLessThan(300);
    const text = await wrongNow();
    expect(text).toContain('<span class="state warn">paused</span>');
    expect(text).toContain(`, until <time datetime="${until.toISOString()}">`);
    expect(text).toContain(TROUBLE_WORDS.paused.means);
    expect(text).toContain('The reason given: “No gas in the kitchen”.');
    expect(text).toContain('press “Resume”');
    // Its time is over, though nobody has told the app yet.
    await world.api.sql`update store_pause set until = now() - interval '1 s'`;
    expect(await wrongNow()).not.toContain('No gas in the kitchen');
    await world.api.sql`update store_pause set until = null`;
    expect(await wrongNow()).toContain('No gas in the kitchen');
    await world.api.sql`delete from store_pause`;
  });

  test('is a rollout that is done, with stores that did not get the menu', async () => {
    const { sql } = world.api;
    const end = (counts: object) => sql`
      update rollout set state = 'done', finished_at = now(), counts = ${JSON.stringify(counts)}::text::json
      where rollout_id = ${menus.rolloutId}`;
    await end({ uploaded: 197, failed: 2, refused: 1 });
    const text = await wrongNow();
    expect(text).toContain('<span class="state warn">done, 3 of 200 failed</span>');
    expect(text).toContain(TROUBLE_WORDS.rollout_in_part.means);
    for (const path of ['/console/rollouts', `/console/rollouts/${menus.rolloutId}`]) {
      expect((await owner.get(path)).text.toLowerCase()).toContain('done, 3 of 200 failed');
    }
    const found = await world.owner.get(`/search?q=${menus.rolloutId}`);
    expect(found.json.data[0]).toMatchObject({
      title: 'Rollout to 200 targets, 3 failed',
      state: 'done',
    });
    const page = await owner.get(`/console/rollouts/${menus.rolloutId}`);
    for (const state of ['failed', 'refused']) {
      expect(page.text).toContain(`href="/console/rollouts/${menus.rolloutId}?state=${state}"`);
    }
    // Of one of its stores that says nothing.
    const store = await owner.get(`/console/stores/${world.rows.key.storeId}`);
    expect(store.text).toContain('<span class="state neutral">ended</span>');
    await end({ uploaded: 200 });
    expect(await wrongNow()).not.toContain(menus.rolloutId);
    expect((await owner.get('/console/rollouts')).text).toContain(
      '<span class="state good">done</span>',
    );
  });

  test('is work that has been due for more than two minutes', async () => {
    expect(await wrongNow()).not.toContain('too long');
    await world.api.sql`
      update delivery set due_at = now() - interval '10 min' where delivery_id = ${world.deliveryId}`;
    expect(await wrongNow()).toContain(
      'The oldest work that is due has waited for 10 min: too long.',
    );
  });
});
