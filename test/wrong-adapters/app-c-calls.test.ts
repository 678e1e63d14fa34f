import { createAppC } from '../../dev/sandbox/app-c/app-c';
import { APP_C_CHANGES } from './app-c-changes';
import { describeWrongAdapters } from './describe-wrong-adapters';
import type { WrongAdapter } from './judge-adapter';
import { body, headers, method, set, url, where } from './spoil';

const TOKEN = /authtoken\/get$/;
const PUSH = /item\/upload$/;
const POLL = /getMenuTaskInfo$/;
const LIST = /item\/list$/;
const ITEMS = /updateItemStatus$/;
const SHOP = /setStatus$/;

const tasks: readonly WrongAdapter[] = [
  {
    what: 'puts an item into two categories',
    payload: set('categories.1.app_item_ids', ['I3', 'I1']),
    found:
      'task rejected ["failed","the item is repeated in the menu (errno 80131), related app_item_id is I1',
  },
  {
    what: 'leaves groups on options',
    payload: set('items.3.app_modifier_group_ids', ['G2']),
    found: 'modifier groups are nested too deep (errno 10051), related app_item_id is I1',
  },
  {
    what: 'lets groups refer to each other',
    payload: set('items.4.app_modifier_group_ids', ['G2']),
    found: 'modifier groups refer to each other in a loop (errno 80149)',
  },
  {
    what: 'lets a single choice have more than it has options',
    payload: (right) =>
      set(
        'modifier_groups.2.quantity_min_permitted',
        3,
      )(set('modifier_groups.2.quantity_max_permitted', 3)(right) as object),
    found: 'the buy mode of the modifier group is not allowed (errno 10065)',
  },
  { what: 'asks about the task by GET', request: where(POLL, method('GET')), found: 'task retry' },
  {
    what: 'asks about taskID',
    request: where(POLL, (right) =>
      body((text) => text.replace('task_id', 'taskID'))(url('task_id', 'taskID')(right)),
    ),
    found: 'task retry parameter error (errno 10002)',
  },
  {
    what: 'rounds the id of the task',
    request: where(POLL, (right) => url(/task_id=\d+/, 'task_id=3458764739727720400')(right)),
    found: 'task retry task does not exist (errno 10001)',
  },
];

const calls: readonly WrongAdapter[] = [
  ...(
    [
      ['no shop', url(/&app_shop_id=[^&]*/, ''), 10_002],
      ['an unknown shop', url('app_shop_id=', 'app_shop_id=unknown-'), 10_101],
      ['another app id', url('app_id=client', 'app_id=other'), 14_105],
      ['another secret', url('app_secret=secret', 'app_secret=other'), 14_106],
    ] as const
  ).map(([what, change, errno]) => ({
    what: `asks for the token of ${what}`,
    request: where(TOKEN, change),
    found: `no token: errno ${errno}`,
  })),
  {
    what: 'sends the token beside the body',
    request: where(
      PUSH,
      body((text) => text.replace(/"auth_token":"[^"]*",/, '')),
    ),
    found: 'token_expired',
  },
  {
    what: 'sends a token that is none of the shop',
    request: where(
      PUSH,
      body((text) => text.replace('"auth_token":"', '"auth_token":"other-')),
    ),
    found: 'token_expired',
  },
  {
    what: 'takes an older path',
    request: where(PUSH, url('/v3/item', '/v1/item')),
    found: 'rejected [',
  },
  {
    what: 'posts the question for the menu',
    request: where(LIST, method('POST')),
    found: 'reads u',
  },
  {
    what: 'asks for the menu at an older path',
    request: where(LIST, url('/v3/item', '/v1/item')),
    found: 'reads unknown status 404',
  },
  {
    what: 'asks for the menu without a token',
    request: where(LIST, url('auth_token=', 'token=')),
    found: 'reads token_expired',
  },
  {
    what: 'sends the token for the menu in a header',
    request: where(LIST, (right) =>
      headers({ authorization: new URL(right.url).searchParams.get('auth_token') ?? '' })(
        url(/\?.*/, '')(right),
      ),
    ),
    found: 'reads token_expired',
  },
  {
    what: 'switches with the status of a word',
    request: where(
      ITEMS,
      body((text) => text.replace('"status":2', '"status":"2"')),
    ),
    found: 'switch rejected ["parameter error (errno 10002)',
  },
  {
    what: 'turns the status around',
    request: where(
      ITEMS,
      body((text) => text.replace('"status":2', '"status":1')),
    ),
    found: 'switches otherwise: none off',
  },
  {
    what: 'switches one item by text',
    request: where(
      ITEMS,
      body((text) => text.replace(/\[.*\]/, '"I1"')),
    ),
    found: 'switch rejected ["parameter error (errno 10002)',
  },
  {
    what: 'sends more items than a call takes',
    request: where(
      ITEMS,
      body((text) => text.replace(/\[.*\]/, JSON.stringify(Array(101).fill('I1')))),
    ),
    found: 'switch rejected ["parameter error (errno 10002)',
  },
  {
    what: 'closes the shop without saying for how long',
    request: where(
      SHOP,
      body((text) => text.replace(/,"auto_switch":\d/, '')),
    ),
    found: 'pause rejected ["parameter error (errno 10002)',
  },
  {
    what: 'turns open and closed around',
    request: where(
      SHOP,
      body((text) => text.replace('"biz_status":2', '"biz_status":1')),
    ),
    found: 'pauses otherwise',
  },
];

describeWrongAdapters({
  app: {
    name: 'app-c',
    menus: 1,
    simulate: (options) => createAppC(options),
    keepsLastSpecialDay: true,
    credentialOf: (appStoreId) => ({ app_shop_id: appStoreId }),
  },
  wrong: [...tasks, ...calls, ...APP_C_CHANGES],
  rules: [10_002, 10_051, 10_065, 10_101, 14_105, 14_106, 80_131, 80_149].map(
    (errno) => `errno ${errno}`,
  ),
});
