import { sendAs, startWorld, type World } from './world';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.stop());

type Wrong = readonly [field: string, value: unknown, sentence: string];

const LONG_ID = 'x'.repeat(256);
const OFF = { external_id: 'I1', available: false };
const CHANGE = 'POST /api/v1/menus/availability';
const PAUSE = 'POST /api/v1/store/{store_id}/pause';
const RESUME = 'POST /api/v1/store/{store_id}/resume';

const INTEGRATIONS: readonly Wrong[] = [
  ['integration_ids', [], 'The integration ids field is required.'],
  ['integration_ids', 'one', 'The integration ids must be an array.'],
  [
    'integration_ids',
    Array.from({ length: 101 }, () => '1'),
    'The integration ids may not have more than 100 items.',
  ],
];
const UNTIL: readonly Wrong[] = [
  ...[7, 'tomorrow', '2030-01-01', '2030-01-01T10:00:00', '2030-02-30T10:00:00Z'].map(
    (value): Wrong => ['until', value, 'The until format is invalid.'],
  ),
  ...['2020-01-01T00:00:00Z', '2999-01-01T00:00:00Z'].map((value): Wrong => [
    'until',
    value,
    'The selected until is invalid.',
  ]),
];
const BODIES: readonly (readonly [endpoint: string, rows: readonly Wrong[]])[] = [
  [
    CHANGE,
    [
      ...INTEGRATIONS,
      ['store_id', undefined, 'The store id field is required.'],
      ['store_id', '1.0', 'The selected store id is invalid.'],
      ['store_id', 999_999_999, 'The selected store id is invalid.'],
      ['items', undefined, 'The items field is required.'],
      ['items', null, 'The items field is required.'],
      ['items', [], 'The items field is required.'],
      ['items', 'I1', 'The items must be an array.'],
      [
        'items',
        Array.from({ length: 501 }, () => OFF),
        'The items may not have more than 500 items.',
      ],
    ],
  ],
  [
    PAUSE,
    [
      ...INTEGRATIONS,
      ...UNTIL,
      ['reason', 7, 'The reason must be a string.'],
      ['reason', 'x'.repeat(101), 'The reason may not be greater than 100 characters.'],
    ],
  ],
  [RESUME, INTEGRATIONS],
];
const ITEMS: readonly Wrong[] = [
  ['external_id', undefined, 'The external id field is required.'],
  ['external_id', 7, 'The external id must be a string.'],
  ['external_id', LONG_ID, 'The external id may not be greater than 255 characters.'],
  ['available', undefined, 'The available field is required.'],
  ['available', 'no', 'The selected available is invalid.'],
  ...UNTIL,
];

async function refusalOf(endpoint: string, more: object): Promise<unknown> {
  const request = world.request(endpoint);
  const body = { ...request.body, ...more };
  const answer = await sendAs(world.api, world.owner, { ...request, body });
  expect(answer.status).toBe(422);
  return answer.json;
}

describe.each(BODIES)('%s', (endpoint, rows) => {
  test.each(rows.map((row) => [row[0], JSON.stringify(row[1])?.slice(0, 40), row] as const))(
    'refuses %s: %s',
    async (_name, _shown, [field, value, sentence]) => {
      expect(await refusalOf(endpoint, { [field]: value })).toEqual({ [field]: [sentence] });
    },
  );

  test('refuses an integration that is no id', async () => {
    for (const [value, sentence] of [
      ['', 'The integration ids field is required.'],
      [{}, 'The integration ids must be a string.'],
      [LONG_ID, 'The integration ids may not be greater than 255 characters.'],
    ] as const) {
      const refusal = await refusalOf(endpoint, { integration_ids: [value] });
      expect(refusal).toEqual({ 'integration_ids.0': [sentence] });
    }
  });
});

test.each(ITEMS)('an item that changes: refuses %s: %j', async (name, value, sentence) => {
  const refusal = await refusalOf(CHANGE, { items: [{ ...OFF, [name]: value }] });
  expect(refusal).toEqual({ [`items.0.${name}`]: [sentence] });
});

test.each([
  ['in a form that is none', 'tomorrow'],
  ['in the past', '2020-01-01T00:00:00Z'],
])('of 51 items with an end %s an answer names fifty', async (_what, until) => {
  const items = Array.from({ length: 51 }, () => ({ ...OFF, until }));
  expect(Object.keys((await refusalOf(CHANGE, { items })) as object)).toHaveLength(50);
  const request = world.request(CHANGE);
  const body = { ...request.body, items };
  const accept = { accept: 'application/problem+json' };
  const { json } = await sendAs(world.api, world.owner, { ...request, body }, accept);
  expect(json.errors).toHaveLength(50);
  expect(json.omitted).toEqual([{ detail: json.errors[0].detail, count: 1 }]);
});

test('an item that comes on sale has no end, and an item is an object', async () => {
  const until = new Date(Date.now() + 60_000).toISOString();
  const refusal = await refusalOf(CHANGE, { items: [{ ...OFF, available: true, until }] });
  expect(refusal).toEqual({ 'items.0.until': ['The selected until is invalid.'] });
  expect(await refusalOf(CHANGE, { items: ['I1'] })).toEqual({
    'items.0': ['The items must be an object.'],
  });
  expect(await refusalOf(CHANGE, { items: [OFF, null] })).toEqual({
    'items.1': ['The items field is required.'],
  });
});
