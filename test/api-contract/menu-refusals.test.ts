import { createConfiguredSecretBox } from '../../src/run/configured-secrets';
import { connectStoreTo } from '../../src/admin/integrations';
import type { AppName } from '../../src/delivery-apps/types';
import { applyChanges } from '../../src/menus/rules/example-changes';
import { EXAMPLE_MENU } from '../../src/menus/rules/example-menu';
import { ALL_MENU_RULES } from '../../src/menus/rules/menu-rules';
import { startWorld, type World } from './world';

let world: World;

beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.stop());

const PROBLEM = { accept: 'application/problem+json' };

function upload(menu: object, headers?: Record<string, string>) {
  const { storeId, integrationId, owner } = world;
  const body = { store_id: storeId, integration_id: integrationId, ...menu };
  return owner.post('/menus/upload', body, { prefer: 'respond-async', ...headers });
}

function preview(menu: object) {
  return world.owner.post('/menus/preview', { store_id: world.storeId, ...menu });
}

function rollOut(menu: object) {
  const { storeId, integrationId, owner } = world;
  const targets = [{ store_id: storeId, integration_id: integrationId }];
  return owner.post('/menus/rollouts', { targets, ...menu });
}

const ORDERED_RULES = ALL_MENU_RULES.filter(({ onlyWith }) => onlyWith === undefined);

test.each(ORDERED_RULES.map((rule) => [rule.sentence, rule] as const))(
  'a menu is refused: %s',
  async (sentence, rule) => {
    const broken = applyChanges(EXAMPLE_MENU, rule.example) as object;
    const [start = ''] = sentence.split('VALUE');
    const plain = await upload(broken);
    expect(plain).toMatchObject({ status: 409, json: { data: null } });
    expect(plain.json.message).toContainEqual(expect.stringContaining(start));
    expect(plain.headers.get('x-upload-id')).toBeNull();
    expect(await preview(broken)).toMatchObject({ status: 409, json: plain.json });
    const rollout = await rollOut(broken);
    expect([rollout.status, rollout.json]).toEqual([409, plain.json]);
    const problem = await upload(broken, PROBLEM);
    expect(problem.json).toMatchObject({ status: 409, code: 'menu_invalid' });
    expect(problem.json.errors).toContainEqual(
      expect.objectContaining({
        code: rule.code,
        pointer: expect.stringMatching(/^\//),
        detail: expect.stringContaining(start),
      }),
    );
  },
);

test('all broken rules are listed in document order, each message once', async () => {
  const nameless = { ...EXAMPLE_MENU.items[1], name: '' };
  const menu = {
    modifier_groups: [],
    items: [
      { ...nameless, external_id: 'A' },
      { ...nameless, external_id: 'B' },
      EXAMPLE_MENU.items[1],
    ],
    categories: [{ external_id: 'C1', name: 7, data_items: [] }],
    menus: EXAMPLE_MENU.menus,
  };
  const { json } = await upload(menu);
  expect(json.message).toEqual([
    'The category name must be a string.',
    'The item must have a name.',
  ]);
  const problem = await upload(menu, PROBLEM);
  expect(problem.json.errors.map(({ pointer }: { pointer: string }) => pointer)).toEqual([
    '/categories/0/name',
    '/items/0/name',
    '/items/1/name',
  ]);
});

test.each([
  [50, []],
  [51, ['There is 1 more error.']],
  [120, ['There are 70 more errors.']],
])('of %i messages at most 50 are listed, and then how many more', async (count, more) => {
  const items = Array.from({ length: count }, (_, n) => ({
    external_id: `I${n}`,
    name: 'Item',
    price: { value: '1' },
    data_modifier_groups: [{ modifier_group_external_id: `missing-${n}` }],
  }));
  const menu = {
    ...EXAMPLE_MENU,
    categories: [{ external_id: 'C1', name: 'C', data_items: [] }],
    items,
    modifier_groups: [],
  };
  const { json } = await upload(menu);
  expect((await preview(menu)).json).toEqual(json);
  expect((await rollOut(menu)).json).toEqual(json);
  expect(json.message.slice(0, 50).every((each: string) => each.includes('missing-'))).toBe(true);
  expect(json.message.slice(50)).toEqual(more);
});

/** The sentences that an upload to the integration is refused with. */
async function to(integrationId: number, menu: object = EXAMPLE_MENU): Promise<string[]> {
  return (await upload({ ...menu, integration_id: integrationId })).json.message;
}

async function connect(
  app: AppName,
  connection: { credential: string | null; appStoreId: string | null },
  options: { active?: boolean; baseUrl?: null } = {},
): Promise<number> {
  const { api, storeId } = world;
  const integrationId = await world.addIntegration(app, options);
  const deps = { sql: api.sql, secrets: createConfiguredSecretBox(api.config) };
  await connectStoreTo(deps, { storeId, integrationId, ...connection });
  return integrationId;
}

describe('access and integration, in this order', () => {
  const whole = { credential: '{}', appStoreId: 'shop' };

  test('another user’s store is refused before its menu is checked', async () => {
    const store_id = await world.api.store();
    const answer = await upload({ ...EXAMPLE_MENU, items: [1], store_id });
    expect(answer).toMatchObject({
      status: 409,
      json: { message: ["You don't have this store available."], data: null },
    });
  });

  test('an operator has every store', async () => {
    const operator = await world.api.user('operator');
    const answer = await operator.post('/menus/upload', world.menu, { prefer: 'respond-async' });
    expect(answer.status).toBe(202);
  });

  test('the menu is checked before the integration', async () => {
    expect(await to(999_999, { ...EXAMPLE_MENU, items: [1] })).toContain(
      'The item must be an object.',
    );
  });

  test.each([999_999, 1.5, -1, 'one', '1e3', ' 1'])(
    'integration %j is not available',
    async (id) => {
      expect(await to(id as number)).toEqual(['Integration not available.']);
    },
  );

  test('an inactive integration is not available', async () => {
    const id = await connect('app-a', whole, { active: false });
    expect(await to(id)).toEqual(['Integration not available.']);
  });

  test('a store that is not connected, or without credential, has no token', async () => {
    const none = 'This store does not have a token for this delivery.';
    expect(await to(await world.addIntegration('app-a'))).toEqual([none]);
    expect(await to(await world.addIntegration('app-d'))).toEqual([none]);
    expect(await to(await connect('app-a', { ...whole, credential: null }))).toEqual([none]);
  });

  test('App D, and an app without base URL, are not configured', async () => {
    const sentence = 'Microservice does not have this integration configured.';
    expect(await to(await connect('app-d', { ...whole, appStoreId: null }))).toEqual([sentence]);
    expect(await to(await connect('app-a', whole, { baseUrl: null }))).toEqual([sentence]);
  });

  test('a store without an id in the app has none', async () => {
    expect(await to(await connect('app-c', { ...whole, appStoreId: null }))).toEqual([
      'This store does not have the store delivery id.',
    ]);
  });

  test('B and C take one menu, A takes several', async () => {
    const [menu] = EXAMPLE_MENU.menus;
    const two = { ...EXAMPLE_MENU, menus: [menu, { ...menu, identifier: 'M2' }] };
    const sentence = 'Only one menu is supported by this delivery.';
    expect(await to(await connect('app-b', whole), two)).toEqual([sentence]);
    expect(await to(await connect('app-c', whole), two)).toEqual([sentence]);
    const id = await connect('app-a', whole);
    expect((await upload({ ...two, integration_id: String(id) })).status).toBe(202);
  });
});
