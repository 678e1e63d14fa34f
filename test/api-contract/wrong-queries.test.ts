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

const WRONG_QUERIES: readonly WrongQuery[] = [
  ...WRONG_PAGES,
  ...WRONG_STATES,
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
