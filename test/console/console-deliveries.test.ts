import { h } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { SentPayload, SignatureHeaders } from '../../src/console/delivery-sent';
import type { WholeDelivery } from '../../src/console/pages/delivery';
import { endedDeliveries } from './ended-deliveries';
import { type ConsoleWorld, startConsoleWorld } from './console-world';
import { type Visitor, visit } from './visitor';

let world: ConsoleWorld;
let owner: Visitor;
let stranger: Visitor;

beforeAll(async () => {
  world = await startConsoleWorld();
  const addEnded = await endedDeliveries(world);
  for (let n = 0; n < 3; n += 1) {
    await addEnded({ state: 'exhausted', agoMs: 400_000 + n, ms: 9_000 });
  }
  await addEnded({ state: 'acknowledged', agoMs: 300_000, ms: 200 });
  owner = await visit(world.api.url, world.owner.token);
  stranger = await visit(world.api.url, (await world.api.user()).token);
});
afterAll(() => world.api.stop());

/** As the page of the webhook has it. */
const filter = () => `inventory_system_id=${world.systemId}&type=2&state=exhausted`;

const delivery = (given: Partial<WholeDelivery>): WholeDelivery => ({
  delivery_id: 'dlv_1',
  inventory_system_id: null,
  type: 2,
  store_id: 1,
  state: 'acknowledged',
  attempts_made: 1,
  next_attempt_at: null,
  waiting_for: null,
  created_at: new Date(),
  finished_at: null,
  receiver_status: 204,
  message: null,
  attempts: [],
  ...given,
});

function sent(given: Partial<WholeDelivery>): string {
  return renderToString(h(SentPayload, { delivery: delivery(given) }));
}

/** The page that asks whether to send again what such a filter chooses. */
async function askResend(more: string): Promise<string> {
  return (await owner.get(`/console/resend?inventory_system_id=${world.systemId}&${more}`)).text;
}

describe('sending many again', () => {
  test('asks first, with the count, on a page that the list and the webhook lead to', async () => {
    const first = await owner.get(`/console/deliveries?${filter()}`);
    expect(first.text).toMatch(/href="\/console\/resend\?[^"]*state=exhausted/);
    const webhook = await owner.get(`/console/webhooks/${world.systemId}/2`);
    expect(webhook.text).toContain(`/console/resend?${filter().replaceAll('&', '&amp;')}`);
    const { status, text } = await owner.get(`/console/resend?${filter()}`);
    expect(status).toBe(200);
    expect(text).toContain('<b>3 deliveries would be sent again</b>');
    expect(text).toContain('<input type="hidden" name="state" value="exhausted"/>');
  });

  test('does so, and shows what waits then', async () => {
    const fields = { inventory_system_id: world.systemId, type: '2', state: 'exhausted' };
    const { status, headers } = await owner.send('/console/resend', fields);
    expect(status).toBe(303);
    const next = headers.get('location') ?? '';
    expect(next).toBe(
      `/console/deliveries?inventory_system_id=${world.systemId}&type=2&state=pending`,
    );
    expect((await owner.get(next)).status).toBe(200);
    // Those three, and the one that has not been sent yet.
    const [row] = await world.api.sql<{ count: number }[]>`
      select count(*)::int as count from delivery`;
    expect(row?.count).toBe(4);
    expect((await owner.get(`/console/resend?${filter()}`)).text).toContain(
      'nothing would be sent',
    );
  });

  test('chooses by all that the list was narrowed by', async () => {
    const before = new Date(Date.now() - 3_600_000).toISOString();
    expect(await askResend('state=acknowledged')).toContain(
      '<b>1 delivery would be sent again</b>',
    );
    const narrowed = await askResend(`state=acknowledged&since=${before}&cursor=x`);
    expect(narrowed).toContain('<b>1 delivery would be sent again</b>');
    expect(narrowed).toContain(`<input type="hidden" name="since" value="${before}"/>`);
    expect(narrowed).not.toContain('name="cursor"');
    expect(await askResend(`state=acknowledged&until=${before}`)).toContain(
      'nothing would be sent',
    );
    expect(await askResend('state=acknowledged&store_id=999')).toContain('nothing would be sent');
  });

  test('says the API’s own refusals', async () => {
    expect((await owner.get('/console/resend?state=gone')).text).toContain(
      'The selected state is invalid.',
    );
    expect((await owner.get('/console/resend?inventory_system_id=x')).status).toBe(422);
    expect((await stranger.get(`/console/resend?${filter()}`)).status).toBe(422);
    expect((await stranger.get('/console/resend')).text).toContain('nothing would be sent');
  });
});

describe('a list', () => {
  test.each(['uploads', 'deliveries', 'rollouts', 'availability', 'stores', 'inventory-systems'])(
    'of %s is a file in CSV',
    async (name) => {
      const { status, headers, text } = await owner.get(`/console/${name}.csv`);
      expect(status).toBe(200);
      expect(headers.get('content-type')).toBe('text/csv; charset=utf-8');
      expect(headers.get('content-disposition')).toBe(`attachment; filename="${name}.csv"`);
      expect(text).toMatch(/^\w+(,|\r\n)/);
      const page = name === 'inventory-systems' ? 'webhooks' : name;
      expect((await owner.get(`/console/${page}`)).text).toContain(`href="/console/${name}.csv"`);
    },
  );

  test('says what is in the file where that is not the list itself', async () => {
    const [webhooks, stores] = [
      await owner.get('/console/webhooks'),
      await owner.get('/console/stores'),
    ];
    expect(webhooks.text).toContain('Inventory systems as CSV, up to 10,000 rows');
    expect(stores.text).toContain('>As CSV, up to 10,000 rows');
  });

  test('of what happened to a store is one too, for who has the store', async () => {
    const page = `/console/stores/${world.rows.key.storeId}`;
    expect((await owner.get(page)).text).toContain(`href="${page}/timeline.csv"`);
    const { status, headers, text } = await owner.get(`${page}/timeline.csv`);
    expect([status, headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8']);
    expect(text).toMatch(/^at,kind,title,state,by\.user_id,by\.name,url\r\n2/);
    expect((await stranger.get(`${page}/timeline.csv`)).status).toBe(409);
  });

  test.each([
    ['2026-05-01', '2026-05-01T00:00:00Z'],
    ['2026-05-01 18:30', '2026-05-01T18:30:00Z'],
    ['2026-05-01T18:30:15', '2026-05-01T18:30:15Z'],
    ['2026-05-01T18:30:00-06:00', '2026-05-01T18:30:00-06:00'],
  ])('takes a time as a person types it: %s', async (typed, meant) => {
    for (const page of ['deliveries', 'uploads']) {
      const { status, text } = await owner.get(`/console/${page}?since=${typed}`);
      expect(status).toBe(200);
      expect(text).toContain(`name="since" value="${meant}"`);
      expect(text).toContain(`/console/${page}.csv?since=${encodeURIComponent(meant)}`);
    }
    expect((await owner.get('/console/deliveries?until=2026-02-30')).status).toBe(422);
  });

  test('in CSV has the filter of its page, and its refusals', async () => {
    const path = '/console/deliveries';
    const page = await owner.get(`${path}?state=acknowledged`);
    expect(page.text).toContain(`href="${path}.csv?state=acknowledged"`);
    const { text } = await owner.get(`${path}.csv?state=acknowledged`);
    expect(text.trim().split('\r\n')).toHaveLength(2);
    const refused = await owner.get(`${path}.csv?state=gone`);
    expect([refused.status, refused.headers.get('content-type')]).toEqual([
      422,
      'text/html; charset=utf-8',
    ]);
    expect((await stranger.get(`${path}.csv`)).text.trim().split('\r\n')).toHaveLength(1);
  });
});

describe('a delivery', () => {
  test('shows what was sent, in lines, as text', () => {
    const page = sent({ payload: { store_id: 1, note: '<script>' } });
    expect(page).toContain(
      '{\n  "store_id": 1,\n  "note": "&lt;script>"\n}'.replaceAll('"', '&quot;'),
    );
    expect(sent({ payload: null })).toContain('Nothing has been sent yet.');
    expect(sent({ payload: { text: 'x'.repeat(30_000) } })).toContain('The first 20000 characters');
    const url = '/api/v1/webhooks/deliveries/dlv_1/payload';
    expect(sent({ payload: null, payload_url: url })).toContain(`GET ${url}`);
  });

  test('shows the headers of its signature, and no secret', () => {
    const attempts = [
      {
        number: 1,
        started_at: new Date('2026-05-01T00:00:07.900Z'),
        duration_ms: 5,
        status: 204,
        error: null,
        detail: null,
        response: null,
      },
    ];
    const page = renderToString(h(SignatureHeaders, { delivery: delivery({ attempts }) }));
    expect(page).toContain('<code>msg_1</code>');
    expect(page).toContain('<code>1777593607</code>');
    expect(page).not.toContain('whsec_');
    const event = delivery({ type: 'upload.finished', attempts });
    expect(renderToString(h(SignatureHeaders, { delivery: event }))).not.toContain('X-Signature');
  });

  test('says why it waits, or what became of it, with what to do', async () => {
    const { text } = await owner.get(`/console/deliveries/${world.deliveryId}`);
    expect(text).toContain('class="verdict');
    expect(text.indexOf('Yes: send again')).toBeLessThan(text.indexOf('<dl>'));
    expect(text).toContain('webhook-signature');
  });
});

test('a webhook that fails says why, since when and what to do', async () => {
  const path = `/console/webhooks/${world.systemId}/2`;
  expect((await owner.get(path)).text).toContain('What happens is sent to this receiver.');
  await owner.send(`${path}/disable`);
  const { text } = await owner.get(path);
  expect(text).toContain('Its owner switched it off.');
  expect(text.indexOf('Yes: enable')).toBeLessThan(text.indexOf('<dl>'));
});
