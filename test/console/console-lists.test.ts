import { LOOKED_AT } from '../../src/platform/db/look-back';
import { type ConsoleWorld, startConsoleWorld } from './console-world';
import { type Visitor, visit } from './visitor';

let world: ConsoleWorld;
let owner: Visitor;
beforeAll(async () => {
  world = await startConsoleWorld();
  await world.owner.post('/events/webhook/manage', { url: 'http://127.0.0.1:9/events' });
  owner = await visit(world.api.url, world.owner.token);
});
afterAll(() => world.api.stop());

describe('a filter', () => {
  test('narrows uploads by store and integration, and keeps what was entered', async () => {
    const { storeId, integrationId } = world.rows.key;
    const ofBoth = `store_id=${storeId}&integration_id=${integrationId}`;
    const { text } = await owner.get(`/console/uploads?state=&${ofBoth}`);
    expect(text).toContain(world.uploadId);
    expect(text).toContain(`name="integration_id" value="${integrationId}"`);
    const other = await owner.get(`/console/uploads?store_id=${storeId}&integration_id=999999`);
    expect(other.text).not.toContain(world.uploadId);
  });

  test('narrows deliveries by type and inventory system', async () => {
    const ofSystem = `/console/deliveries?events=&inventory_system_id=${world.systemId}`;
    expect((await owner.get(`${ofSystem}&type=2`)).text).toContain(world.deliveryId);
    expect((await owner.get(`${ofSystem}&type=1`)).text).not.toContain(world.deliveryId);
  });

  test('shows events by their own types, and forgets the type and the system of other deliveries', async () => {
    const { json } = await world.owner.post('/events/webhook/test', undefined);
    const id = json.data.delivery_id;
    const events = '/console/deliveries?events=true';
    const left = `${events}&type=2&inventory_system_id=${world.systemId}`;
    for (const path of [events, `${events}&type=webhook.test`, left]) {
      const { status, text } = await owner.get(path);
      expect([path, status, text.includes(id), text.includes(world.deliveryId)]).toEqual([
        path,
        200,
        true,
        false,
      ]);
      expect(text).toContain('<option value="upload.ended"');
    }
    const back = await owner.get('/console/deliveries?type=webhook.test');
    expect([back.status, back.text.includes(world.deliveryId)]).toEqual([200, true]);
  });
});

describe('the page of an integration', () => {
  test('says what waits and failed today in the user’s stores, and is linked from where it is named', async () => {
    const path = `/console/apps/${world.rows.key.integrationId}`;
    const { status, text } = await owner.get(path);
    expect(status).toBe(200);
    expect(text).toContain('<dt>Uploads waiting</dt><dd>1</dd>');
    expect(text).toContain('<dt>Failed of those accepted today</dt><dd>1</dd>');
    for (const from of [
      '/console',
      '/console/apps',
      `/console/uploads/${world.uploadId}`,
      `/console/stores/${world.rows.key.storeId}`,
    ]) {
      expect([from, (await owner.get(from)).text.includes(`href="${path}"`)]).toEqual([from, true]);
    }
  });

  test('is for users with a store in it and for operators; another store’s uploads do not count', async () => {
    const path = `/console/apps/${world.rows.key.integrationId}`;
    const { url, sql } = world.api;
    const stranger = await visit(url, (await world.api.user()).token);
    expect((await stranger.get(path)).status).toBe(404);
    expect((await stranger.get('/console/apps')).text).toContain('There are none.');
    expect((await stranger.get('/console/apps/x')).status).toBe(404);
    const operator = await visit(url, (await world.api.user('operator')).token);
    expect((await operator.get(path)).status).toBe(200);
    const other = await world.api.user();
    const storeId = await world.api.store(other);
    await sql`
      insert into store_integration (store_id, integration_id, delivery_id)
      values (${storeId}::bigint, ${world.rows.key.integrationId}::bigint, 'other')`;
    const { text } = await (await visit(url, other.token)).get(path);
    expect(text).toContain('<dt>Uploads waiting</dt><dd>0</dd>');
  });
});

describe('a timeline', () => {
  test('of a delivery has the wait before each attempt, all that was kept of an answer, and when the next is due', async () => {
    const response = `${'busy '.repeat(199)}last`;
    const { sql } = world.api;
    await sql`
      insert into attempt (delivery_id, epoch, number, started_at, duration_ms, status, error, response)
      values (${world.deliveryId}, 1, 1, '2026-01-02T03:00:00Z', 2000, 503, null, 'short'),
        (${world.deliveryId}, 1, 2, '2026-01-02T03:00:07Z', 100, 503, null, ${response})`;
    await sql`
      update delivery set due_at = '2040-01-02T03:04:05Z', attempts_made = 2
      where delivery_id = ${world.deliveryId}`;
    const { text } = await owner.get(`/console/deliveries/${world.deliveryId}`);
    const waits = [...text.matchAll(/data-label="Waited"><div>([^<]+)</g)].map(([, wait]) => wait);
    expect(waits).toEqual(['–', '5.0 s']);
    expect(text).toContain(`<code>${response}</code></details>`);
    expect(text).toContain('<dt>Next attempt</dt><dd><time datetime="2040-01-02T03:04:05.000Z">');
  });

  test('of an upload has the answer of the app to a step that failed', async () => {
    const body = `{"error":"${'the price is wrong '.repeat(20)}"}`;
    await world.api.sql`
      insert into upload_step (upload_id, name, state, attempts, started_at, finished_at, answer)
      values (${world.failedId}, 'push', 'failed', 1, now(), now(),
        ${JSON.stringify({ status: 422, error: 'timeout', body })}::text::json)`;
    const { text } = await owner.get(`/console/uploads/${world.failedId}`);
    expect(text).toContain(`<code>${body.replaceAll('"', '&quot;')}</code></details>`);
    expect(text).toContain('data-label="Error"><div>timeout<');
  });
});

test('a page of uploads that goes no further back says so, and leads on', async () => {
  const { key, userId } = world.rows;
  await world.api.sql`
    insert into menu_upload (upload_id, store_id, integration_id, seq, user_id, request_id,
      document_sha256, state, created_at, finished_at)
    select 'upl_' || lpad(to_hex(n), 32, '0'), ${key.storeId}::bigint, ${key.integrationId}::bigint,
      -n, ${userId}, 'r', (select document_sha256 from menu_upload where upload_id = ${world.uploadId}),
      'uploaded', now() - interval '9 days', now() - interval '9 days'
    from generate_series(1, ${LOOKED_AT + 1}::int) n`;
  const filter = '/console/uploads?state=superseded';
  const { text } = await owner.get(filter);
  expect(text).toContain('None among those that were looked at.');
  const next = /href="([^"]*cursor=[^"]*)"/.exec(text)?.[1]?.replaceAll('&amp;', '&') ?? '';
  expect((await owner.get(next)).text).toContain('There are none.');
});
