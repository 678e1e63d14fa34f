import { sendAs, startWorld, type World } from './world';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.stop());

type Wrong = readonly [field: string, value: unknown, sentence: string];

const CLOSED = {
  date: new Date(Date.now() + 5 * 86_400_000).toISOString().slice(0, 10),
  closed: true,
};
const OPEN = [{ start: '10:00', end: '15:00' }];
const LONG_ID = 'x'.repeat(256);
const OFF = { external_id: 'I1', available: false };
const CHANGE = 'POST /api/v1/menus/availability';
const PAUSE = 'POST /api/v1/store/{store_id}/pause';
const SPECIAL_DAYS = 'PUT /api/v1/store/{store_id}/special-days';
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
  [
    SPECIAL_DAYS,
    [
      ...INTEGRATIONS,
      ['days', undefined, 'The days field is required.'],
      ['days', null, 'The days field is required.'],
      ['days', {}, 'The days must be an array.'],
      [
        'days',
        Array.from({ length: 101 }, () => CLOSED),
        'The days may not have more than 100 items.',
      ],
    ],
  ],
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

const hours = (start: unknown, end: unknown) => ({ periods: [{ start, end }], closed: null });
const DAYS: readonly (readonly [what: object, field: string, sentence: string])[] = [
  [{ date: undefined }, 'date', 'The date field is required.'],
  ...[7, '28-11-2030', '2030-02-30', '2030-11-28T00:00:00Z', '2030-1-1'].map(
    (date) => [{ date }, 'date', 'The date format is invalid.'] as const,
  ),
  [{ date: '2020-01-01' }, 'date', 'The selected date is invalid.'],
  [{ date: '2999-01-01' }, 'date', 'The selected date is invalid.'],
  [{ closed: 'yes' }, 'closed', 'The selected closed is invalid.'],
  [{ periods: OPEN }, 'closed', 'The selected closed is invalid.'],
  [{ closed: undefined }, 'periods', 'The periods field is required.'],
  [{ closed: false, periods: [] }, 'periods', 'The periods field is required.'],
  [{ periods: '10-15' }, 'periods', 'The periods must be an array.'],
  [
    { periods: Array.from({ length: 49 }, () => OPEN[0]) },
    'periods',
    'The periods may not have more than 48 items.',
  ],
  [{ periods: ['10-15'] }, 'periods.0', 'The periods must be an object.'],
  [{ periods: [null] }, 'periods.0', 'The periods field is required.'],
  [hours(undefined, '15:00'), 'periods.0.start', 'The start field is required.'],
  [hours('10:00', undefined), 'periods.0.end', 'The end field is required.'],
  ...[10, '24:00', '9:00', '10:60', '10:00:00'].flatMap((time) => [
    [hours(time, '15:00'), 'periods.0.start', 'The start format is invalid.'] as const,
    [hours('00:00', time), 'periods.0.end', 'The end format is invalid.'] as const,
  ]),
  [hours('15:00', '15:00'), 'periods', 'The selected periods is invalid.'],
  [hours('18:00', '02:00'), 'periods', 'The selected periods is invalid.'],
  [{ name: 7 }, 'name', 'The name must be a string.'],
  [{ name: 'x'.repeat(51) }, 'name', 'The name may not be greater than 50 characters.'],
];

test.each(DAYS)('a special day: refuses %j: %s', async (parts, name, sentence) => {
  const refusal = await refusalOf(SPECIAL_DAYS, { days: [{ ...CLOSED, ...parts }] });
  expect(refusal).toEqual({ [`days.0.${name}`]: [sentence] });
});

test('a special day is an object, once each, and its periods do not collide', async () => {
  const { date } = CLOSED;
  const periods = [...OPEN, { start: '14:00', end: '18:00' }];
  const days = [CLOSED, { date, periods: OPEN }, { date: '2020-01-01', periods }];
  expect(await refusalOf(SPECIAL_DAYS, { days })).toEqual({
    'days.1.date': ['The selected date is invalid.'],
    'days.2.date': ['The selected date is invalid.'],
    'days.2.periods': ['The selected periods is invalid.'],
  });
  expect(await refusalOf(SPECIAL_DAYS, { days: ['2030-01-01', null] })).toEqual({
    'days.0': ['The days must be an object.'],
    'days.1': ['The days field is required.'],
  });
});
