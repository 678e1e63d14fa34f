import { sendAs, startWorld, type World } from './world';
import { absent, choice, list, LONG_ID, text, type Wrong } from './wrong-rows';
import { WRONG_ROLLOUTS } from './wrong-rollouts';

let world: World;

beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.stop());

const SYSTEM: Wrong[] = [
  ...text('inventory_system_id', 255),
  ...['nobody', '00000000-0000-4000-8000-000000000000'].map((id): Wrong => [
    'inventory_system_id',
    id,
    'The selected inventory system id is invalid.',
  ]),
];
const STORE = choice('store_id', ' 1', '1.0', '1e3', -1, 1.5, 'abc', 999_999_999, [], {}, true);
const TYPE = choice('type', 0, 3, '3', '01', 1.5, [1], true);
const DECIMAL = ['1e3', '+1', ' 1', '1.', '.5', '1.1234567', '1234567890123', 'NaN'];
const MOVEMENT: Wrong[] = [
  ...text('external_id', 255),
  ...['current_stock', 'quantity'].flatMap((name) => [
    ...text(name),
    ...DECIMAL.map((value): Wrong => [
      name,
      value,
      `The ${name.replaceAll('_', ' ')} format is invalid.`,
    ]),
  ]),
  ...text('date'),
  ...['21.11.2026', '2026-02-30', '2026-11-21T25:00', 'today'].map((value): Wrong => [
    'date',
    value,
    'The date format is invalid.',
  ]),
  ...choice('movement_type', 0, 3, 'add', 1.5),
];
const SELECT = [...SYSTEM, ...TYPE];

const RECEIVER: Wrong[] = [
  ...text('url'),
  [
    'url',
    `https://example.com/${'x'.repeat(2048)}`,
    'The url may not be greater than 2048 characters.',
  ],
  ['url', 'nowhere', 'The url format is invalid.'],
  ['url', 'https://exa mple.com', 'The url format is invalid.'],
  ['url', 'https://10.0.0.1/hook', 'The url is not allowed.'],
  ['max_in_flight', 'many', 'The max in flight must be a number.'],
  ['max_in_flight', 1.5, 'The max in flight must be a number.'],
  ['max_in_flight', 0, 'The selected max in flight is invalid.'],
  ['max_in_flight', 201, 'The selected max in flight is invalid.'],
  ['max_per_second', 'many', 'The max per second must be a number.'],
  ['max_per_second', 0, 'The selected max per second is invalid.'],
  ['max_per_second', 1_001, 'The selected max per second is invalid.'],
  ['headers', 'X-Key: 1', 'The headers format is invalid.'],
  ['headers', ['X-Key'], 'The headers format is invalid.'],
  ['headers', { Host: 'example.com' }, 'The headers format is invalid.'],
];
const GRACE: Wrong[] = [
  ['grace_seconds', 'long', 'The grace seconds must be a number.'],
  ['grace_seconds', -1, 'The selected grace seconds is invalid.'],
  ['grace_seconds', 604_801, 'The selected grace seconds is invalid.'],
];

const MENU_LISTS = [
  ...list('menus', 20),
  ...list('categories', 2000),
  ...list('items', 10_000),
  ...list('modifier_groups', 5000, true),
];

const WRONG_BODIES: Readonly<Record<string, readonly Wrong[]>> = {
  'POST /api/v1/menus/preview': [...STORE, ...list('integration_ids', 20).slice(2), ...MENU_LISTS],
  'POST /api/v1/menus/live/check': [
    ...STORE,
    ['store_id', absent, 'The store id field is required.'],
    ...text('integration_id', 255).filter(([, value]) => value !== 7),
  ],
  'POST /api/v1/menus/rollouts': WRONG_ROLLOUTS,
  'POST /api/v1/menus/upload': [
    ...STORE,
    ['integration_id', absent, 'The integration id field is required.'],
    ['integration_id', '', 'The integration id field is required.'],
    ['integration_id', true, 'The integration id must be a string.'],
    ['integration_id', LONG_ID, 'The integration id may not be greater than 255 characters.'],
    ...MENU_LISTS,
  ],
  'POST /api/v1/store': [
    ...text('name', 255),
    ['name', ' \t', 'The name field is required.'],
    ...choice('country_code', 'XX', 'MEX', '', 52).slice(0, 4),
    ['direction', 7, 'The direction must be a string.'],
    ['direction', 'x'.repeat(2001), 'The direction may not be greater than 2000 characters.'],
    // Both or neither.
    ['latitude', absent, 'The latitude field is required.'],
    ['latitude', null, 'The latitude field is required.'],
    ['latitude', 'north', 'The latitude format is invalid.'],
    ['latitude', 90.1, 'The latitude format is invalid.'],
    ['longitude', absent, 'The longitude field is required.'],
    ['longitude', null, 'The longitude field is required.'],
    ['longitude', '181', 'The longitude format is invalid.'],
    ['longitude', '1e1', 'The longitude format is invalid.'],
    ['time_zone', 7, 'The selected time zone is invalid.'],
    ['time_zone', '', 'The selected time zone is invalid.'],
    ['time_zone', 'Mars/Olympus', 'The selected time zone is invalid.'],
    ['time_zone', '+05:00', 'The selected time zone is invalid.'],
  ],
  'PATCH /api/v1/store/{store_id}': [
    ...text('name', 255).slice(1),
    ['country_code', null, 'The country code field is required.'],
    ['country_code', 'XX', 'The selected country code is invalid.'],
    ['direction', 7, 'The direction must be a string.'],
    ['direction', 'x'.repeat(2001), 'The direction may not be greater than 2000 characters.'],
    ['latitude', 'north', 'The latitude format is invalid.'],
    ['longitude', '181', 'The longitude format is invalid.'],
    ['time_zone', 7, 'The selected time zone is invalid.'],
    ['time_zone', '', 'The selected time zone is invalid.'],
    ['time_zone', 'Mars/Olympus', 'The selected time zone is invalid.'],
    ['time_zone', '+05:00', 'The selected time zone is invalid.'],
    ['availability_from_stock', null, 'The availability from stock field is required.'],
    ['availability_from_stock', '', 'The availability from stock field is required.'],
    ['availability_from_stock', true, 'The selected availability from stock is invalid.'],
    ['availability_from_stock', 'On', 'The selected availability from stock is invalid.'],
  ],
  'POST /api/v1/inventory/system/create': text('name', 255),
  'PATCH /api/v1/inventory/system/{inventory_system_id}': text('name', 255).slice(1),
  'POST /api/v1/inventory/system/store/link': [
    ...SYSTEM,
    ...STORE,
    ...text('external_store_id', 255),
  ],
  'POST /api/v1/inventory/system/webhook/manage': [...SELECT, ...RECEIVER],
  'POST /api/v1/inventory/system/webhook/secret/rotate': [...SELECT, ...GRACE],
  'POST /api/v1/events/webhook/manage': [
    ...RECEIVER,
    ['events', [], 'The events field is required.'],
    ['events', 'upload.ended', 'The events must be an array.'],
    ['events', ['upload.ended', 'upload.begun'], 'The selected events is invalid.'],
    ['events', ['webhook.test'], 'The selected events is invalid.'],
    ['events', [1], 'The selected events is invalid.'],
    [
      'events',
      Array.from({ length: 101 }, () => 'upload.ended'),
      'The events may not have more than 100 items.',
    ],
  ],
  'POST /api/v1/events/webhook/secret/rotate': GRACE,
  'POST /api/v1/inventory/system/webhook/enable': SELECT,
  'POST /api/v1/inventory/system/webhook/disable': SELECT,
  'POST /api/v1/inventory/system/webhook/test': SELECT,
  'POST /api/v1/inventory/system/store/{store_id}/pos/stock/update': [
    ...SYSTEM,
    ...MOVEMENT,
    ...choice('pos_id', ' 1', 'abc', 999_999_999, true),
  ],
  'POST /api/v1/pos/store/{store_id}/inventory/items': [
    ...list('units', absent, true),
    ...list('items', absent, true),
    ...list('suppliers', absent, true),
  ],
  'POST /api/v1/pos/store/{store_id}/inventory/stock': MOVEMENT,
  'POST /api/v1/webhooks/deliveries/resend': [
    ['inventory_system_id', 7, 'The inventory system id must be a string.'],
    ...SYSTEM.filter(([, value]) => typeof value === 'string' && value !== ''),
    ['type', '', 'The selected type is invalid.'],
    ['type', 3, 'The selected type is invalid.'],
    ['type', 'upload.ended', 'The selected type is invalid.'],
    ['events', 'yes', 'The selected events is invalid.'],
    ['state', '', 'The selected state is invalid.'],
    ['inventory_system_id', '', 'The selected inventory system id is invalid.'],
    ['state', 'lost', 'The selected state is invalid.'],
    ['dry_run', 'yes', 'The selected dry run is invalid.'],
    ['store_id', 'abc', 'The selected store id is invalid.'],
    ['external_id', 7, 'The external id must be a string.'],
    ['external_id', 'x'.repeat(256), 'The external id may not be greater than 255 characters.'],
    ['receiver_status', true, 'The selected receiver status is invalid.'],
    ['receiver_status', 99, 'The selected receiver status is invalid.'],
    ['since', 'yesterday', 'The since format is invalid.'],
    ['until', 7, 'The until format is invalid.'],
    ['until', 'tomorrow', 'The until format is invalid.'],
    ['request_id', 7, 'The request id must be a string.'],
  ],
};

describe.each(Object.entries(WRONG_BODIES))('%s', (endpoint, rows) => {
  test.each(rows.map((row) => [row[0], JSON.stringify(row[1])?.slice(0, 40), row] as const))(
    'refuses %s: %s',
    async (_name, _shown, [field, value, sentence, at = field]) => {
      const request = world.request(endpoint);
      const answer = await sendAs(world.api, world.owner, {
        ...request,
        body: { ...request.body, [field]: value },
      });
      expect(answer.status).toBe(422);
      expect(answer.json).toEqual({ [at]: [sentence] });
    },
  );
});

test('a query of the upload is a field like others', async () => {
  const answer = await world.owner.post('/menus/upload?skip_unchanged=yes', world.menu);
  expect(answer.status).toBe(422);
  expect(answer.json).toEqual({ skip_unchanged: ['The selected skip unchanged is invalid.'] });
});

test('all wrong fields are reported at once, and problem+json points at each', async () => {
  const plain = await world.owner.post('/store', { country_code: 'XX', latitude: '1' });
  expect(plain.json).toEqual({
    name: ['The name field is required.'],
    country_code: ['The selected country code is invalid.'],
    longitude: ['The longitude field is required.'],
  });
  const problem = await world.owner.post(
    '/store',
    { country_code: 'XX', latitude: '1' },
    { accept: 'application/problem+json' },
  );
  expect(problem.headers.get('content-type')).toMatch(/^application\/problem\+json/);
  expect(problem.json).toMatchObject({
    status: 422,
    errors: expect.arrayContaining([
      { code: 'required', pointer: '/name', detail: 'The name field is required.' },
      {
        code: 'invalid',
        pointer: '/country_code',
        detail: 'The selected country code is invalid.',
        value: 'XX',
        hint: 'Two letters of ISO 3166-1: "MX".',
      },
    ]),
  });
});
