import { createAppD, rappiIdOf } from '../../dev/sandbox/app-d/app-d';
import { RULES } from '../../dev/sandbox/app-d/violation';
import { describeWrongAdapters } from './describe-wrong-adapters';
import type { WrongAdapter } from './judge-adapter';
import { body, drop, headers, method, repeat, set, url, where } from './spoil';

const TOKEN = /POST .*\/token\/login/;
const PUSH = /POST .*\/menu$/;
const READ = /GET .*\/menu$/;
const UTILS_TOKEN = /POST .*\/login\/utils$/;
const POLL = /\/details$/;
const ITEMS = /\/stores\/items$/;
const STORES = /\/stores\/enable$/;

/** A refused menu, whichever of its three bodies the app uses: each contains the rule. */
function refused(what: string, rule: string, payload: WrongAdapter['payload']) {
  return { what, found: rule, ...(payload && { payload }) };
}

const NESTED = {
  name: 'More',
  description: '',
  sku: 'N1',
  type: 'TOPPING',
  price: 5,
  sortingPosition: 0,
  maxLimit: 1,
  category: { id: 'G9', name: 'More', minQty: 0, maxQty: 1, sortingPosition: 0 },
};

const PRODUCT = 'items.0';
const TOPPING = 'items.0.children.0';
const many = (path: string, count: number, parts: object = {}) =>
  set(path, (list: readonly object[]) =>
    Array.from({ length: count }, (_, at) => ({ ...list[0], ...parts, sku: `N${at}` })),
  );

const menus: readonly WrongAdapter[] = [
  refused('forgets a description', 'fields', drop(`${PRODUCT}.description`)),
  refused('forgets the place of a topping', 'fields', drop(`${TOPPING}.sortingPosition`)),
  refused('sends cents', 'fields', set(`${PRODUCT}.price`, 150.5)),
  refused('writes prices as text', 'fields', set(`${PRODUCT}.price`, '150')),
  refused('sends hours', 'fields', set(`${PRODUCT}.schedules`, [])),
  refused('sends a number for the store', 'fields', set('storeId', 999)),
  refused('nests toppings', 'invalid_item_depth', set(`${TOPPING}.children`, [NESTED])),
  refused('sells toppings', 'invalid_item_depth', set(`${PRODUCT}.type`, 'TOPPING')),
  refused('gives an option two prices', 'item_data_conflict', set('items.1.children.0.price', 15)),
  refused(
    'gives an option two limits',
    'item_data_conflict',
    set('items.1.children.1.maxLimit', 2),
  ),
  refused('limits one group twice', 'duplicated_categories', set(`${TOPPING}.category.id`, 'G1')),
  refused(
    'names one category twice',
    'duplicated_categories',
    set('items.1.category.name', 'Other'),
  ),
  refused('repeats an item', 'duplicated_items', repeat('items')),
  refused('uses an SKU in two groups', 'duplicated_items', set('items.0.children.2.sku', 'X2')),
  refused('sells what is a topping', 'item_relation', repeat('items', { sku: 'X1', children: [] })),
  refused(
    'makes an item its own topping',
    'item_relation_without_cyclic',
    set(`${TOPPING}.sku`, 'I1'),
  ),
  refused('says yes to a combo', 'fields', set(`${PRODUCT}.combo`, 'yes')),
  refused('sends no items', 'minimum_items', set('items', [])),
  refused('takes http', 'image_url', set(`${PRODUCT}.imageUrl`, 'http://x.y/1.png')),
  refused('keeps emoji', 'text_format', set(`${PRODUCT}.name`, 'Pizza 🍕')),
  refused('sends no name', 'text_fields_length', set(`${PRODUCT}.name`, '')),
  refused('cuts no text', 'text_fields_length', set(`${PRODUCT}.description`, 'd'.repeat(2_001))),
  refused('sends a price below 0', 'positive_numbers', set(`${TOPPING}.price`, -1)),
  refused(
    'sends a group of nothing',
    'positive_numbers',
    set('items.0.children.2.category.maxQty', 0),
  ),
  refused('sells for nothing', 'zero_price', (right) =>
    set('items.2.price', 0)(set('items.2.children', [])(right) as object),
  ),
  refused('has one SKU for what is free', 'duplicated_items', set('items.2.children.0.sku', 'X3')),
  refused('sends a blank in a URL', 'image_url', set(`${PRODUCT}.imageUrl`, 'https://x.y/a b.png')),
  refused('wants a category', 'min_permitted', set(`${PRODUCT}.category.minQty`, 1)),
  refused('turns limits', 'min_permitted', set(`${TOPPING}.category.minQty`, 3)),
  refused('permits more than the group', 'max_permitted_in_items', set(`${TOPPING}.maxLimit`, 3)),
  refused('permits less than its group', 'max_permitted_in_items', set(`${PRODUCT}.maxLimit`, 1)),
  refused('fills a category', 'max_items_category', many('items', 51)),
  refused('fills an item', 'max_item_childs', many('items.0.children', 51)),
];

const shown: readonly WrongAdapter[] = [
  ['sends hundredths', set(`${PRODUCT}.price`, 15_000)],
  ['sends the price of the item for that of the menu', set('items.1.price', 130)],
  ['sends the price of the item for 0', set('items.0.children.3.price', 5)],
  ['charges for what is free', set('items.2.children.0.price', 5)],
  ['sells at 0 what has a price', set(`${PRODUCT}.price`, 0)],
  ['cuts inside a letter', set('items.1.description', `${'e\u0301'.repeat(999)}e`)],
  ['loses an image', drop(`${PRODUCT}.imageUrl`)],
  ['loses a description', set(`${PRODUCT}.description`, '')],
  [
    'loses a minimum',
    set('items.0.children', (list: readonly Child[]) => list.map(withoutMinimum)),
  ],
  ['loses an item', set('items', (list: readonly object[]) => list.slice(0, 2))],
].map(([what, payload]) => ({
  what: String(what),
  payload: payload as (right: object) => unknown,
  found: 'shows otherwise: ',
}));

interface Child {
  readonly category: object;
}

function withoutMinimum(child: Child): Child {
  return { ...child, category: { ...child.category, minQty: 0 } };
}

const calls: readonly WrongAdapter[] = [
  {
    what: 'asks for a token by a form',
    request: where(
      TOKEN,
      body(() => 'client_id=client&client_secret=secret'),
    ),
    found: 'no token: Invalid credentials',
  },
  {
    what: 'sends the token in the usual header',
    request: where(PUSH, (right) =>
      headers({ 'x-authorization': undefined, authorization: right.headers?.['x-authorization'] })(
        right,
      ),
    ),
    found: 'token_expired',
  },
  { what: 'puts the menu', request: where(PUSH, method('PUT')), found: 'rejected [' },
  {
    what: 'sends a menu to a child store',
    payload: set('storeId', 'child-1'),
    found: 'rejected ["StoreId child-1: not found associated Stores',
  },
  {
    what: 'asks about another store',
    request: where(POLL, url(/menu\/\d+/, 'menu/1')),
    found: 'task retry StoreId',
  },
  {
    what: 'asks about a store by its own id of it',
    request: where(POLL, url(/menu\/\d+/, 'menu/shop')),
    found: 'task retry',
  },
  {
    what: 'asks with the token of menus',
    request: where(UTILS_TOKEN, url('utils', 'integrations')),
    found: 'task token_expired',
  },
  {
    what: 'asks without saying about which days',
    request: where(POLL, url(/\?.*/, '')),
    found: 'task retry from and to must be days',
  },
  {
    what: 'asks from a later day to an earlier one',
    request: where(POLL, url(/\?.*/, '?from=2026-02-02&to=2026-02-01')),
    found: 'task retry from and to must be days',
  },
  {
    what: 'writes days as times',
    request: where(POLL, url(/from=[^&]*/, 'from=2026-02-01T00:00:00Z')),
    found: 'task retry from and to must be days',
  },
  {
    what: 'reads the menus with the token in the usual header',
    request: where(READ, (right) =>
      headers({ 'x-authorization': undefined, authorization: right.headers?.['x-authorization'] })(
        right,
      ),
    ),
    found: 'reads token_expired',
  },
  { what: 'posts items', request: where(ITEMS, method('POST')), found: 'switch ' },
  {
    what: 'forgets the list around the store',
    request: where(
      ITEMS,
      body((text) => text.slice(1, -1)),
    ),
    found: 'switch rejected ["Error updating items',
  },
  {
    what: 'names another store for items than for menus',
    request: where(
      ITEMS,
      body((text) => text.replace('"store_integration_id":"', '"store_integration_id":"unknown-')),
    ),
    found: 'switch one_unknown Store not found',
  },
  {
    what: 'switches an item by another id',
    request: where(
      ITEMS,
      body((text) => text.replace('I1', 'i1')),
    ),
    found: 'switch one_unknown item not found',
  },
  {
    what: 'turns off and on around',
    request: where(
      ITEMS,
      body((text) => text.replace('turn_off', 'turn_on')),
    ),
    found: 'switches otherwise: none off',
  },
  {
    what: 'sends more items than a call takes',
    request: where(
      ITEMS,
      body((text) => text.replace('"I1"', Array(101).fill('"I1"').join())),
    ),
    found: 'switch rejected ["Error updating items',
  },
  {
    what: 'pauses by the id of the integrator',
    request: where(
      STORES,
      body((text) => text.replace(/"store_id":\d+/, '"store_id":"shop"')),
    ),
    found: 'pause rejected',
  },
  {
    what: 'pauses a store of somebody else',
    request: where(
      STORES,
      body((text) => text.replace(/"store_id":\d+/, '"store_id":1')),
    ),
    found: 'pause rejected ["FORBIDDEN',
  },
  {
    what: 'turns open and closed around',
    request: where(
      STORES,
      body((text) => text.replace('false', 'true')),
    ),
    found: 'pauses otherwise',
  },
];

describeWrongAdapters({
  app: {
    name: 'app-d',
    menus: 1,
    simulate: (options) => createAppD(options),
    credentialOf: (appStoreId) => ({ rappi_store_id: String(rappiIdOf(appStoreId)) }),
  },
  wrong: [...menus, ...shown, ...calls],
  rules: RULES.map((rule) => rule.replace('_complies', '')),
});
