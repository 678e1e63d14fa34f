import { EXAMPLE_MENU } from '../../src/menus/rules/example-menu';
import { readFieldMenu } from '../support/field-menu';
import { undescribed } from '../support/openapi-reader';
import { startWorld, type World } from './world';

let world: World;

beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.stop());

const PROBLEM = { accept: 'application/problem+json' };

test('problem+json shows each refused value of a menu, its item and what to write; plain answers are as before', async () => {
  const { storeId: store_id, integrationId: integration_id, owner } = world;
  const { menu } = readFieldMenu('46-numbers-instead-of-strings');
  const body = { store_id, integration_id, ...menu };
  const answer = await owner.post('/menus/upload', body, PROBLEM);
  expect(undescribed('uploadMenu', answer)).toEqual([]);
  expect(answer.status).toBe(409);
  expect(answer.json.omitted).toBeUndefined();
  expect(answer.json.errors[1]).toEqual({
    code: 'not_positive',
    pointer: '/items/1/price/value',
    detail: 'The item price value must be greater than 0.',
    external_id: 'b',
    value: '5/8',
    hint: 'Hundredths as digits: 10.30 is "1030".',
  });
  expect(answer.json.errors[0].value).toBe(1.5);
  const plain = await owner.post('/menus/upload', body);
  expect(plain.json).toEqual({
    message: [
      'The item price value must be a string.',
      'The item price value must be greater than 0.',
    ],
    data: null,
  });
});

test('what an answer has no room for is counted by sentence', async () => {
  const items = Array.from({ length: 70 }, (_, n) => ({
    ...EXAMPLE_MENU.items[1],
    external_id: `N${n}`,
    name: '',
  }));
  const body = {
    store_id: world.storeId,
    ...EXAMPLE_MENU,
    items: [...EXAMPLE_MENU.items, ...items],
  };
  const answer = await world.owner.post('/menus/preview', body, PROBLEM);
  expect(undescribed('previewMenu', answer)).toEqual([]);
  expect(answer.json.errors).toHaveLength(50);
  expect(answer.json.omitted).toEqual([{ detail: 'The item must have a name.', count: 20 }]);
});

test.each([
  ['quantity', 26.4, 'The quantity must be a string.'],
  ['quantity', '1,5', 'The quantity format is invalid.'],
  ['current_stock', '1e3', 'The current stock format is invalid.'],
  ['date', '2026-11-28 10:00:00', 'The date format is invalid.'],
  ['date', 1_764_324_000, 'The date must be a string.'],
  ['movement_type', 'sale', 'The selected movement type is invalid.'],
])(
  'a stock movement with the %s %j is told the form that is wanted',
  async (field, value, detail) => {
    const { path, body } = world.request('POST /api/v1/pos/store/{store_id}/inventory/stock');
    const sent = { ...body, [field]: value };
    const { status, json } = await world.owner.post(path.replace('/api/v1', ''), sent, PROBLEM);
    expect(status).toBe(422);
    expect(json.errors).toEqual([
      expect.objectContaining({ pointer: `/${field}`, detail, value, hint: expect.any(String) }),
    ]);
  },
);

test('a value that may be a secret is not sent back', async () => {
  const { path, body } = world.request('POST /api/v1/inventory/system/webhook/manage');
  const sent = { ...body, url: 'no url: s3cret', headers: 'Authorization: Bearer s3cret' };
  const { status, text } = await world.owner.post(path.replace('/api/v1', ''), sent, PROBLEM);
  expect(status).toBe(422);
  expect(text).not.toContain('s3cret');
});

test('a preview names the fields that no app gets, also those beside the menu', async () => {
  const { menu } = readFieldMenu('43-unknown-fields-alcohol-tax-calories');
  const body = {
    store_id: world.storeId,
    integration_ids: [world.integrationId],
    integration_id: world.integrationId,
    ...menu,
    callback_url: 'https://pos.example',
    x_trace: 7,
  };
  const { status, json } = await world.owner.post('/menus/preview', body);
  expect(status).toBe(200);
  const [result] = json.data.results;
  expect(result.acceptable).toBe(true);
  const unknown = result.losses.filter((each: { code: string }) => each.code === 'unknown_field');
  expect(unknown).toHaveLength(10);
  expect(unknown).toContainEqual({
    code: 'unknown_field',
    severity: 'warn',
    pointer: '',
    external_id: null,
    message: 'The field is not part of a menu and was ignored: callback_url (once)',
  });
});
