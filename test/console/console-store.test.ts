import { WAITING_WORDS, WEBHOOK_WORDS } from '../../src/contract/plain-words';
import type { UploadId } from '../../src/platform/ids';
import { addMenus, type ConsoleMenus } from './console-menus';
import { type ConsoleWorld, startConsoleWorld } from './console-world';
import { type Visitor, visit } from './visitor';

let world: ConsoleWorld;
let menus: ConsoleMenus;
let owner: Visitor;
beforeAll(async () => {
  world = await startConsoleWorld();
  menus = await addMenus(world);
  // Nothing waits, and the last menu is the live one.
  await world.api.sql`
    update menu_upload set state = 'canceled', finished_at = now() where finished_at is null`;
  owner = await visit(world.api.url, world.owner.token);
});
afterAll(() => world.api.stop());

/** The page as text, its tags taken out. */
async function page(visitor = owner): Promise<string> {
  const { text } = await visitor.get(`/console/stores/${world.rows.key.storeId}`);
  return text
    .slice(text.indexOf('<main'))
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/ ([.,:;])/g, '$1');
}

const actionsOf = (text: string) =>
  ['Publish again', 'Pause', 'Resume', 'Read back', 'Preview a menu'].filter((name) =>
    text.slice(text.indexOf('Delivery apps'), text.indexOf('Guests see')).includes(` ${name} `),
  );

const inserted: string[] = [];

async function insert(state: Record<string, unknown>): Promise<UploadId> {
  const uploadId = await world.rows.insert({ text: JSON.stringify(state) });
  await world.api.sql`
    update menu_upload set ${world.api.sql(state)} where upload_id = ${uploadId}`;
  inserted.push(uploadId);
  return uploadId;
}

afterEach(async () => {
  await world.api.sql`delete from menu_upload where upload_id = any(${inserted}::text[])`;
});

test('a well store shows what is live, since when, from whom and with which losses, and nothing to do', async () => {
  await world.api.sql`
    update menu_upload set user_id = ${world.owner.userId}, loss_counts = '{"block":0,"warn":2,"info":1}'
    where upload_id = ${menus.liveId}`;
  const text = await page();
  expect(text).toContain('sent by you');
  expect(text).toContain('losses: 2 that guests may miss, 1 that guests do not notice');
  expect(text).toContain('Orders are taken');
  expect(text).toContain('I2 since');
  expect(text).toContain('The POS took it off sale.');
  expect(text).not.toContain('What to do: ');
});

test('who sent the live menu is named to operators, and is another user to others', async () => {
  const operator = await visit(world.api.url, (await world.api.user('operator')).token);
  await world.api.sql`
    update menu_upload set user_id = ${world.rows.userId} where upload_id = ${menus.liveId}`;
  expect(await page(operator)).toContain('sent by A user');
  expect(await page()).toContain('sent by another user');
});

test('an upload that waits says why, since when, what was said, and what to do', async () => {
  await insert({
    state: 'running',
    next_attempt_at: new Date(Date.now() + 60_000),
    wait_reason: 'app_unavailable',
    retry_reason: 'status 503',
    failed_tries: 9,
    waiting_since: '2026-01-02T03:04:05Z',
    created_at: '2026-01-02T03:04:00Z',
  });
  const text = await page();
  expect(text).toContain('waits live');
  expect(text).toContain('A new menu waits since 2026-01-02 03:04:05.');
  expect(text).toContain('The delivery app does not answer, or answers with an error.');
  expect(text).toContain('It was said: “status 503”. Tried 9 times. Next try');
  expect(text).toContain(`What to do: ${WAITING_WORDS.app_unavailable.todo}`);
  // It is under way already.
  expect(actionsOf(text)).not.toContain('Publish again');
});

test('a last upload that failed says so, whatever was canceled since', async () => {
  await insert({
    state: 'failed',
    finished_at: new Date(),
    messages: ['Could not upload.', 'The price is wrong.'],
  });
  await insert({ state: 'canceled', finished_at: new Date() });
  const text = await page();
  expect(text).toMatch(/The last menu failed .*guests still see what they saw before/);
  expect(text).toContain('It was said: “The price is wrong”.');
  expect(text).toContain('The menu that failed last is sent');
});

test('an app that refuses the credential says that, with what to do', async () => {
  const failed = await insert({
    state: 'failed',
    finished_at: new Date(),
    messages: ['Unable to get token.'],
  });
  await world.api.sql`
    insert into upload_step (upload_id, name, state, attempts, started_at, finished_at, answer)
    values (${failed}, 'token', 'failed', 1, now(), now(), '{"status": 401, "error": null, "body": null}')`;
  const text = await page();
  expect(text).toContain('The service cannot sign in.');
  expect(text).toContain('Ask whoever runs this service to enter the app’s credentials again');
  expect(text).toMatch(/the app gave no token .*: status 401/);
});

test('a token that is kept, and a connection or an integration without one', async () => {
  const { storeId, integrationId } = world.rows.key;
  const { sql } = world.api;
  await sql`
    insert into app_token (credential_key, token_encrypted, expires_at, configuration)
    values (${`integration/${integrationId}`}, 'x', '2040-01-02T03:04:05Z', '0')`;
  expect(await page()).toContain('works; the token is good until 2040-01-02 03:04:05');
  await sql`
    update store_integration set credential_encrypted = null where store_id = ${storeId}::bigint`;
  let text = await page();
  expect(text).toContain('The store has no credentials for this app');
  expect(actionsOf(text)).toEqual(['Preview a menu']);
  await sql`
    update store_integration set credential_encrypted = '' where store_id = ${storeId}::bigint`;
  await sql`update integration set active = false`;
  text = await page();
  expect(text).toContain('The integration is switched off');
  expect(actionsOf(text)).toEqual([]);
  await sql`update integration set active = true`;
});

test('a paused store says why and since when; only what the app can do is offered', async () => {
  const { storeId, integrationId } = world.rows.key;
  const { sql } = world.api;
  expect(actionsOf(await page())).toEqual(['Publish again', 'Pause', 'Preview a menu']);
  await owner.send(`/console/stores/${storeId}/pause`, {
    integration_id: String(integrationId),
    reason: 'The oven is broken',
  });
  const text = await page();
  expect(text).toMatch(/The store is paused since .*The reason given: “The oven is broken”\./);
  expect(text).toContain('Orders are not taken, until somebody resumes it');
  expect(actionsOf(text)).toContain('Resume');
  await sql`delete from store_pause`;
  // App B cannot be asked what it shows; App A can.
  expect(text).toContain('this app cannot be asked what it shows');
  await sql`update integration set app = 'app-a'`;
  await sql`
    update publication set drift_state = 'changed', drift_checked_at = now(), drift_changes_count = 3
    where live_upload_id = ${menus.liveId}`;
  const read = await page();
  expect(actionsOf(read)).toContain('Read back');
  expect(read).toContain('Somebody changed the menu in the delivery app itself. 3 differences.');
  await sql`update integration set app = 'app-b'`;
  await sql`update publication set drift_state = 'unknown'`;
});

test('inventory systems are shown with the health of their webhooks; of another user’s only that it is linked', async () => {
  await world.api.sql`
    update subscription set failing_since = '2026-01-02T03:04:05Z' where inventory_system_id = ${world.systemId}::uuid`;
  await world.api.sql`update delivery set created_at = now() - interval '25 min'`;
  const text = await page();
  expect(text).toContain('One message about this store waits, the oldest since');
  expect(text).toContain('Stock keeper');
  expect(text).toContain('It fails since 2026-01-02 03:04:05.');
  // It is not paused, so nothing says that it is left alone.
  expect(text).toContain(WAITING_WORDS.receiver_failing.means);
  expect(text).not.toContain(WEBHOOK_WORDS.paused.means);
  expect(text).toContain('Waiting 1, the oldest since');
  const other = await world.api.user();
  await world.api.sql`
    insert into user_store (store_id, user_id) values (${world.rows.key.storeId}::bigint, ${other.userId})`;
  const theirs = await page(await visit(world.api.url, other.token));
  expect(theirs).toContain('A system of another user');
  expect(theirs).not.toContain('Stock keeper');
  expect(theirs).toContain('One message about this store waits');
});

test('items off sale of each app are listed, also where the newest of the store are all in another', async () => {
  const { storeId, integrationId } = world.rows.key;
  const { sql } = world.api;
  const [made] = await sql<{ integrationId: number }[]>`
    insert into integration (app, name) values ('app-c', 'Other') returning integration_id`;
  const otherId = made?.integrationId ?? 0;
  await sql`
    insert into store_integration (store_id, integration_id, delivery_id)
    values (${storeId}::bigint, ${otherId}::bigint, 'other')`;
  await sql`
    insert into availability_mark (store_id, integration_id, external_id, by_api, by_stock, change_id)
    select ${storeId}::bigint, ${otherId}::bigint, 'O' || n, false, true, 'avc_gone' from generate_series(1, 120) n`;
  const text = await page();
  expect(text).toContain('120 in all, with what to do');
  expect(text.match(/ O\d+ since/g)).toHaveLength(5);
  expect(text).toContain('The stock system says that there is none left.');
  expect(text).toContain('I2 since');
  const query = `store_id=${storeId}&amp;integration_id=${integrationId}`;
  const { text: html } = await owner.get(`/console/stores/${storeId}`);
  expect(html).toContain(`href="/console/availability?${query}"`);
});

test('the page of a store lists all its integrations, not only those of the first page of the API', async () => {
  const { storeId } = world.rows.key;
  await world.api.sql`
    with made as (
      insert into integration (app, name) select 'app-b', 'Brand ' || n || '.' from generate_series(1, 60) n
      returning integration_id
    )
    insert into store_integration (store_id, integration_id, delivery_id)
    select ${storeId}::bigint, integration_id, 'm' || integration_id from made`;
  expect(new Set((await page()).match(/Brand \d+\./g)).size).toBe(60);
});

test('the page of a store says its time zone, without which it has no seasons and no special days', async () => {
  expect(await page()).toContain('Time zone none');
  const changed = await world.owner.patch(`/store/${world.rows.key.storeId}`, {
    time_zone: 'America/Santiago',
  });
  expect(changed.status).toBe(200);
  expect(await page()).toContain('Time zone America/Santiago');
});
