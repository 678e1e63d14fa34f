import { LISTED_DELIVERIES } from '../../src/webhooks/sql/subscription-health';
import { type ConsoleWorld, startConsoleWorld } from './console-world';
import { type Visitor, visit } from './visitor';

let world: ConsoleWorld;
let owner: Visitor;
let stranger: Visitor;
let operator: Visitor;

beforeAll(async () => {
  world = await startConsoleWorld();
  const { url } = world.api;
  owner = await visit(url, world.owner.token);
  stranger = await visit(url, (await world.api.user()).token);
  operator = await visit(url, (await world.api.user('operator')).token);
});
afterAll(() => world.api.stop());

describe('the webhook for events', () => {
  const url = 'http://127.0.0.1:9/events';

  test('is on the page of webhooks of its user, and on that of no other', async () => {
    await world.owner.post('/events/webhook/manage', { url });
    const { text } = await owner.get('/console/webhooks');
    expect([text.includes(url), text.includes('href="/console/webhooks/events"')]).toEqual([
      true,
      true,
    ]);
    for (const other of [stranger, operator]) {
      expect((await other.get('/console/webhooks')).text).not.toContain(url);
      expect((await other.get('/console/webhooks/events')).status).toBe(404);
    }
  });

  test('is of the type “events” on the overview, which links to it for its user only', async () => {
    await world.owner.post('/events/webhook/disable', undefined);
    const link = '<a href="/console/webhooks/events">';
    const mine = await owner.get('/console');
    expect(mine.text).toContain(link);
    expect(mine.text).toContain('<span class="type">events</span>');
    const all = await operator.get('/console');
    expect([all.text.includes(url), all.text.includes(link)]).toEqual([true, false]);
  });
});

describe('the list', () => {
  test.each([
    [150, '150 attempts, 15 failed, 99 of 100 within 10 ms'],
    [LISTED_DELIVERIES + 100, 'of the newest 199 attempts 19 failed, 99 of 100 within 10 ms'],
  ])('says of %p attempts in the hour: %s', async (count, words) => {
    const { sql } = world.api;
    await sql`delete from ended_delivery`;
    // The older ones took longer. One of the newest waits.
    await sql`
      insert into ended_delivery (delivery_id, subscription_id, inventory_system_id, type, store_id, sequence, payload,
        state, attempts_made, attempts_before_resend, request_id, user_id, created_at, finished_at, attempts)
      select 'dlv_' || lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0') || lpad(n::text, 20, '0'),
        subscription_id, inventory_system_id, type, null, n, '{}',
        case when n % 10 = 0 then 'exhausted' else 'acknowledged' end, 1, 0, 'r', 'u', at, at,
        array[(1, at, case when n > ${LISTED_DELIVERIES}::int then 500 else 10 end, 200, null, null, null)::ended_attempt]
      from subscription, generate_series(1, ${count}::int) n, lateral (select now() - n * interval '1 s' as at) as times
      where inventory_system_id = ${world.systemId}::uuid and type = 2`;
    expect((await owner.get('/console/webhooks')).text).toContain(words);
  });
});

describe('the page of a webhook', () => {
  test('has its health and links to its deliveries, and is linked from the list and from a delivery', async () => {
    const path = `/console/webhooks/${world.systemId}/2`;
    const { status, text } = await owner.get(path);
    expect([status, text.includes('http://127.0.0.1:9/stock')]).toEqual([200, true]);
    expect(text).toContain(
      `href="/console/deliveries?inventory_system_id=${world.systemId}&amp;type=2&amp;state=pending"`,
    );
    for (const from of ['/console/webhooks', `/console/deliveries/${world.deliveryId}`]) {
      expect([from, (await owner.get(from)).text.includes(`href="${path}"`)]).toEqual([from, true]);
    }
  });

  test('is not there for another user, nor of a type without a webhook', async () => {
    const path = `/console/webhooks/${world.systemId}`;
    expect((await stranger.get(`${path}/2`)).status).toBe(404);
    expect((await owner.get(`${path}/1`)).status).toBe(404);
  });
});
