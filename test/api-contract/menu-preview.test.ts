import { connectStoreTo } from '../../src/admin/integrations';
import { createConfiguredSecretBox } from '../../src/run/configured-secrets';
import type { AppName } from '../../src/delivery-apps/types';
import { EXAMPLE_MENU } from '../../src/menus/rules/example-menu';
import { startWorld, type World } from './world';

let world: World;

beforeAll(async () => {
  world = await startWorld({ APP_D: 'rappi', APP_C_LEVELS: '1' });
});
afterAll(() => world.stop());

async function connect(
  app: AppName,
  {
    credential = '{}',
    appStoreId = 'shop',
  }: { credential?: string | null; appStoreId?: string | null } = {},
  options: { active?: boolean; baseUrl?: null } = {},
): Promise<string> {
  const { api, storeId } = world;
  const integrationId = await world.addIntegration(app, options);
  const deps = { sql: api.sql, secrets: createConfiguredSecretBox(api.config) };
  await connectStoreTo(deps, { storeId, integrationId, credential, appStoreId });
  return String(integrationId);
}

const [ONE] = EXAMPLE_MENU.menus;
/** One menu, as most apps take it. */
const MENU = { ...EXAMPLE_MENU, menus: [ONE] };

function ask(body: object, query = '') {
  return world.owner.post(`/menus/preview${query}`, { store_id: world.storeId, ...MENU, ...body });
}

/** The results of a preview that was answered 200. */
async function preview(body: object, query = '') {
  const answer = await ask(body, query);
  expect(answer).toMatchObject({ status: 200, json: { message: 'Menu preview.' } });
  return answer.json.data.results;
}

async function countRows() {
  return world.api.sql`
    select (select count(*) from menu_upload) as uploads, (select count(*) from document) as documents`;
}

const NOTHING = { counts: null, payload_bytes: null };

describe('a preview', () => {
  test('says for each app what it would show and lose, each once, in the order of the request', async () => {
    const ids = [await connect('app-c'), await connect('app-a'), await connect('app-b')];
    const results = await preview(
      { integration_ids: [...ids, Number(ids[0])] },
      '?include=payload,shown',
    );
    expect(results.map(({ integration_id: id, app }: Record<string, string>) => [id, app])).toEqual(
      [
        [ids[0], 'app-c'],
        [ids[1], 'app-a'],
        [ids[2], 'app-b'],
      ],
    );
    for (const result of results) {
      expect(result).toMatchObject({ acceptable: true, messages: [] });
      expect(result.counts.items).toBe(result.shown.items.length);
      expect(result.payload_bytes).toBe(Buffer.byteLength(JSON.stringify(result.payload)));
      expect(result).not.toHaveProperty('changes');
    }
  });

  test('covers all integrations of the store unless some are named', async () => {
    const results = await preview({});
    const { json } = await world.owner.get(`/store/${world.storeId}/integrations?limit=100`);
    const connected = json.data.map((each: { integration_id: string }) => each.integration_id);
    expect(
      results.map((each: { integration_id: string }) => each.integration_id).toSorted(),
    ).toEqual(connected.toSorted());
    expect(results[0]).not.toHaveProperty('shown');
    expect(await preview({ integration_ids: null })).toEqual(results);
  });

  test('writes nothing', async () => {
    const before = await countRows();
    await preview({}, '?include=shown,payload,changes');
    expect(await countRows()).toEqual(before);
  });

  test('ignores an idempotency key: it changes nothing', async () => {
    const { owner, storeId } = world;
    const key = { 'idempotency-key': 'not a key' };
    const answer = await owner.post('/menus/preview', { store_id: storeId, ...MENU }, key);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('idempotency-replayed')).toBeNull();
  });
});

describe('why an integration would not accept the menu', () => {
  test.each([999_999, 'one', '1e3', ' 1'])('is said for the unknown integration %j', async (id) => {
    expect(await preview({ integration_ids: [id] }, '?include=shown')).toEqual([
      {
        integration_id: String(id),
        app: null,
        acceptable: false,
        messages: ['Integration not available.'],
        losses: [],
        ...NOTHING,
        shown: null,
      },
    ]);
  });

  test('is said in the words of an upload, and the menu is still shown', async () => {
    const ids = [
      await connect('app-b', {}, { active: false }),
      String(await world.addIntegration('app-b')),
      await connect('app-b', { credential: null }),
      await connect('app-b', {}, { baseUrl: null }),
      await connect('app-b', { appStoreId: null }),
    ];
    const results = await preview({ integration_ids: ids }, '?include=shown');
    expect(results.map((each: { messages: string[] }) => each.messages)).toEqual([
      ['Integration not available.'],
      ['This store does not have a token for this delivery.'],
      ['This store does not have a token for this delivery.'],
      ['Microservice does not have this integration configured.'],
      ['This store does not have the store delivery id.'],
    ]);
    for (const result of results) {
      expect(result).toMatchObject({ acceptable: false, app: 'app-b' });
      expect(result.shown.items.length).toBeGreaterThan(0);
    }
  });

  test('a second menu', async () => {
    const menus = [ONE, { ...ONE, identifier: 'M2' }];
    const [result] = await preview({ menus, integration_ids: [await connect('app-b')] });
    expect(result).toMatchObject({
      acceptable: false,
      messages: ['Only one menu is supported by this delivery.'],
      ...NOTHING,
    });
    expect(result.losses).toContainEqual(
      expect.objectContaining({ code: 'second_menu_refused', pointer: '/menus/1' }),
    );
  });

  test('blocking losses, each with its message; then nothing would be shown', async () => {
    const items = MENU.items.map((item) => ({ ...item, name: '🍕' }));
    const [result] = await preview(
      { items, integration_ids: [await connect('app-d')] },
      '?include=shown,payload,changes',
    );
    expect(result).toMatchObject({
      acceptable: false,
      ...NOTHING,
      shown: null,
      payload: null,
      changes: null,
    });
    expect(result.messages[0]).toBe('Could not upload menu to delivery system.');
    const blocking = result.losses.filter(
      (loss: { severity: string }) => loss.severity === 'block',
    );
    expect(result.messages.slice(1)).toEqual(
      blocking.map((loss: { message: string }) => loss.message),
    );
  });
});

describe('what would change', () => {
  test('is everything if nothing is live', async () => {
    const [result] = await preview(
      { integration_ids: [await connect('app-b')] },
      '?include=changes',
    );
    expect(result.changes).toMatchObject({ against: null, counts: { removed: 0, changed: 0 } });
    expect(result.changes.changes).toHaveLength(result.changes.counts.added);
  });

  test('is relative to the live menu, the first 100', async () => {
    const integrationId = await connect('app-b');
    const { api, owner, storeId } = world;
    const made = await owner.post(
      '/menus/upload',
      { store_id: storeId, integration_id: integrationId, ...MENU },
      { prefer: 'respond-async' },
    );
    const uploadId = made.json.data.upload_id;
    await api.sql`
      update publication p set live_upload_id = u.upload_id, live_document_sha256 = u.document_sha256
      from menu_upload u
      where u.upload_id = ${uploadId} and p.store_id = u.store_id and p.integration_id = u.integration_id`;
    const compare = (menu = {}) =>
      preview({ ...menu, integration_ids: [integrationId] }, '?include=changes');
    const [same] = await compare();
    const none = { added: 0, removed: 0, changed: 0 };
    expect(same.changes).toEqual({ against: uploadId, counts: none, changes: [] });
    // While a push runs, after one that failed and after a partly accepted one, the live menu is still known.
    await api.sql`
      update publication set live_document_sha256 = null where live_upload_id = ${uploadId}`;
    expect(await compare()).toEqual([same]);
    const more = Array.from({ length: 120 }, (_, n) => ({
      external_id: `new-${n}`,
      name: 'New',
      price: { value: '100' },
      data_modifier_groups: [],
    }));
    const [result] = await compare({ items: [...MENU.items, ...more] });
    expect(result.changes).toMatchObject({ against: uploadId, counts: { ...none, added: 120 } });
    expect(result.changes.changes).toHaveLength(100);
  });
});

test('an item off sale is shown as such, whatever the menu', async () => {
  const integrationId = await connect('app-b');
  const [first] = MENU.items;
  const { api, storeId } = world;
  await api.sql`
    insert into availability_mark (store_id, integration_id, external_id, by_api, by_stock, change_id)
    values (${storeId}::bigint, ${integrationId}::bigint, ${first?.external_id ?? ''}, true, false, 'none')`;
  const [result] = await preview({ integration_ids: [integrationId] }, '?include=shown');
  const shown: { external_id: string; available: boolean }[] = result.shown.items;
  const off = shown.filter(({ available }) => !available).map(({ external_id: id }) => id);
  expect(off).toEqual([first?.external_id]);
});

describe('images', () => {
  const items = [
    { ...MENU.items[0], image_url: 'http://images.example/1.png' },
    ...MENU.items.slice(1),
  ];

  test('are checked by their URL, and fetched only on request', async () => {
    const far = [{ ...items[0], image_url: 'https://127.0.0.1:9/1.png' }, ...items.slice(1)];
    const integration_ids = [await connect('app-a')];
    const codes = async (list: object[], query = '') => {
      const [result] = await preview({ items: list, integration_ids }, query);
      expect(result.acceptable).toBe(true);
      const losses: { code: string; pointer: string }[] = result.losses;
      return losses
        .filter(({ code }) => code.startsWith('image'))
        .map(({ code, pointer }) => [code, pointer]);
    };
    const lost = [['image_out_of_rules', '/items/0']];
    expect(await codes(items)).toEqual(lost);
    expect(await codes(far)).toEqual([]);
    expect(await codes(far, '?check_images=false')).toEqual([]);
    expect(await codes(far, '?check_images=true')).toEqual(lost);
  });
});
