import { createAppC } from '../../dev/sandbox/app-c/app-c';
import { describeWrongAdapters } from './describe-wrong-adapters';
import type { WrongAdapter } from './judge-adapter';
import { body, method, set, url, where } from './spoil';

const TOKEN = /authtoken\/get$/;
const PUSH = /item\/upload$/;
const POLL = /getMenuTaskInfo$/;
const ITEMS = /updateItemStatus$/;
const ITEM = /updateItem$/;
const GROUP = /updateModifierGroup$/;
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
  ...(
    [
      ['leaves the name out', /"item_name":"[^"]*",/, '', 'item name is empty'],
      [
        'leaves out whether it is sold',
        /,?"is_sold_separately":true/,
        '',
        'is_sold_separately is empty',
      ],
      ['leaves out whether it is on sale', /,"status":1/, '', 'status is empty'],
      [
        'sends its groups',
        '"item_name"',
        '"app_modifier_group_ids":["G2"],"item_name"',
        'app_modifier_group_ids is no',
      ],
      ['sends its alcohol', '"item_name"', '"has_wine":0,"item_name"', 'has_wine is no parameter'],
      [
        'sends a promotion',
        '"item_name"',
        '"activity_price":1,"item_name"',
        'activity_price is no',
      ],
      ['sends a long text', '"Tomato"', `"${'t'.repeat(301)}"`, 'short_desc is too long'],
      ['sends a price as text', '"price":16000', '"price":"16000"', 'price is invalid'],
      ['names no item', '"I1"', '"i1"', 'app_item_id does not exist'],
      ['sends a tax that is none', '"rate":0', '"rate":800', 'tax_info_list rate is invalid'],
    ] as const
  ).map(([what, from, to, found]) => ({
    what: `changes an item and ${what}`,
    request: where(
      ITEM,
      body((text) => text.replace(from, to)),
    ),
    found: `change rejected ["${found}`,
  })),
  ...(
    [
      ['the old price', '"price":16000', '"price":15000'],
      ['no text', /"short_desc":"[^"]*",/, ''],
      ['no image', /"head_img":"[^"]*",/, ''],
      ['no hours', /"sold_info_intl":\[.*?\]\}\],/, ''],
      ['no tax', /,"tax_info_list":\[[^\]]*\]/, ''],
      ['off sale', '"status":1', '"status":2'],
    ] as const
  ).map(([what, from, to]) => ({
    what: `changes an item and sends ${what}`,
    request: where(
      ITEM,
      body((text) => text.replace(from, to)),
    ),
    found: 'changes otherwise: ',
  })),
  ...(
    [
      [
        'leaves the name out',
        /"modifier_group_name":"[^"]*",/,
        '',
        'rejected ["modifier group name',
      ],
      ['leaves its limits out', /"quantity_max_permitted":\d+,/, '', 'otherwise: '],
      ['sends one option alone', /,\{"app_item_id":"X2"[^}]*\}/, '', 'otherwise: '],
      ['sends the old price', '"price":1300', '"price":1200', 'otherwise: '],
      [
        'names its copy',
        '"app_modifier_group_id":',
        '"app_external_id":"G1","app_modifier_group_id":',
        'rejected ["app_external_id is no',
      ],
      [
        'limits an option',
        '"price":1300',
        '"price":1300,"purchase_limit":1',
        'rejected ["purchase_limit is no',
      ],
    ] as const
  ).map(([what, from, to, found]) => ({
    what: `changes a group and ${what}`,
    request: where(
      GROUP,
      body((text) => text.replace(from, to)),
    ),
    found: `change${found.startsWith('otherwise') ? 's' : ''} ${found}`,
  })),
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
    credentialOf: (appStoreId) => ({ app_shop_id: appStoreId }),
  },
  wrong: [...tasks, ...calls],
  rules: [10_002, 10_051, 10_065, 10_101, 14_105, 14_106, 80_131, 80_149].map(
    (errno) => `errno ${errno}`,
  ),
});
