import { startWorld, type World } from './world';

let world: World;

beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.stop());

const LONG_ID = 'x'.repeat(256);

type WrongQuery = readonly [path: string, query: string, sentence: string];

/** With the ids of the world in place of the parameters. */
const LISTS = [
  '/menus/uploads',
  '/menus/availability',
  '/menus/rollouts',
  '/menus/rollouts/{rollout_id}/targets',
  '/webhooks/deliveries',
  '/menus/uploads/{upload_id}/changes',
  '/store',
  '/store/{store_id}/integrations',
  '/inventory/system',
  '/inventory/system/{inventory_system_id}/store/link',
  '/inventory/system/{inventory_system_id}/webhook',
];

const WRONG_PAGES = LISTS.flatMap((path): WrongQuery[] => [
  [path, 'limit=x', 'The limit must be a number.'],
  [path, 'limit=0', 'The selected limit is invalid.'],
  [path, 'limit=101', 'The selected limit is invalid.'],
  [path, 'limit=', 'The limit must be a number.'],
  [path, 'cursor=', 'The selected cursor is invalid.'],
  [path, 'cursor=!', 'The selected cursor is invalid.'],
  [path, 'cursor=dXBsX3g', 'The selected cursor is invalid.'],
]);

const WRONG_STATES = [
  '/menus/uploads',
  '/menus/rollouts/{rollout_id}/targets',
  '/webhooks/deliveries',
].flatMap((path): WrongQuery[] => [
  [path, 'state=', 'The selected state is invalid.'],
  [path, 'state=lost', 'The selected state is invalid.'],
]);

const WRONG_TIMES = ['/menus/uploads', '/webhooks/deliveries'].flatMap((path): WrongQuery[] =>
  ['', 'now', '2026-11-28', '2026-11-28T10:00:00', '2026-02-30T10:00:00Z'].flatMap(
    (time): WrongQuery[] => [
      [path, `since=${time}`, 'The since format is invalid.'],
      [path, `until=${time}`, 'The until format is invalid.'],
    ],
  ),
);

const WRONG_QUERIES: readonly WrongQuery[] = [
  ...WRONG_PAGES,
  ...WRONG_STATES,
  ...WRONG_TIMES,
  [
    '/menus/uploads',
    `request_id=${LONG_ID}`,
    'The request id may not be greater than 255 characters.',
  ],
  [
    '/webhooks/deliveries',
    `external_id=${LONG_ID}`,
    'The external id may not be greater than 255 characters.',
  ],
  ['/webhooks/deliveries', 'external_id=%00', 'The external id format is invalid.'],
  [
    '/webhooks/deliveries',
    `request_id=${LONG_ID}`,
    'The request id may not be greater than 255 characters.',
  ],
  ['/webhooks/deliveries', 'request_id=%00', 'The request id format is invalid.'],
  ['/menus/uploads', 'request_id=a%00', 'The request id format is invalid.'],
  ...['/store', '/search'].flatMap((path): WrongQuery[] => [
    [path, 'q=', 'The q field is required.'],
    [path, 'q=%20', 'The q field is required.'],
    [path, 'q=a%00', 'The q format is invalid.'],
    [path, `q=${LONG_ID}`, 'The q may not be greater than 255 characters.'],
  ]),
  ['/webhooks/deliveries', 'store_id=one', 'The selected store id is invalid.'],
  ['/webhooks/deliveries', 'receiver_status=ok', 'The receiver status must be a number.'],
  ['/webhooks/deliveries', 'receiver_status=', 'The receiver status must be a number.'],
  ['/webhooks/deliveries', 'receiver_status=600', 'The selected receiver status is invalid.'],
  ['/menus/uploads/{upload_id}/changes', 'against=', 'The selected against is invalid.'],
  ['/menus/uploads/{upload_id}/changes', 'against=next', 'The selected against is invalid.'],
  ['/menus/uploads/{upload_id}/changes', 'against=upl_0', 'The selected against is invalid.'],
  ['/menus/uploads', 'store_id=', 'The selected store id is invalid.'],
  ['/menus/availability', 'store_id=one', 'The selected store id is invalid.'],
  [
    '/menus/availability',
    `integration_id=${LONG_ID}`,
    'The integration id may not be greater than 255 characters.',
  ],
  ['/menus/uploads', 'store_id=one', 'The selected store id is invalid.'],
  ['/menus/uploads', 'store_id=1&store_id=2', 'The selected store id is invalid.'],
  [
    '/menus/uploads',
    `integration_id=${LONG_ID}`,
    'The integration id may not be greater than 255 characters.',
  ],
  ['/webhooks/deliveries', 'type=', 'The selected type is invalid.'],
  ['/webhooks/deliveries', 'type=upload.ended', 'The selected type is invalid.'],
  ['/webhooks/deliveries', 'events=', 'The selected events is invalid.'],
  ['/webhooks/deliveries', 'events=1', 'The selected events is invalid.'],
  ['/webhooks/deliveries', 'type=3', 'The selected type is invalid.'],
  ['/webhooks/deliveries', 'inventory_system_id=', 'The selected inventory system id is invalid.'],
  [
    '/webhooks/deliveries',
    'inventory_system_id=me',
    'The selected inventory system id is invalid.',
  ],
  [
    '/webhooks/deliveries',
    `inventory_system_id=${LONG_ID}`,
    'The inventory system id may not be greater than 255 characters.',
  ],
];

test.each(WRONG_QUERIES)('GET %s refuses %s', async (path, query, sentence) => {
  const at = path
    .replace('{store_id}', String(world.storeId))
    .replace('{rollout_id}', world.ids.rolloutId)
    .replace('{upload_id}', world.ids.uploadId)
    .replace('{inventory_system_id}', world.systemId);
  const answer = await world.owner.get(`${at}?${query}`);
  expect(answer.status).toBe(422);
  expect(answer.json).toEqual({ [query.split('=')[0] ?? '']: [sentence] });
});
