import { createAppB } from '../../dev/sandbox/app-b/app-b';
import { MENU_ERROR_CODES } from '../../dev/sandbox/app-b/menu-error';
import { describeWrongAdapters } from './describe-wrong-adapters';
import type { WrongAdapter } from './judge-adapter';
import { body, drop, headers, method, repeat, set, url, where } from './spoil';

const TOKEN = /POST .*\/oauth\/token$/;
const PUSH = /PUT .*\/menu$/;
const ITEMS = /\/items\/status$/;
const OPEN = /merchants\/[^/]+\/status$/;

/** A refused menu: its first error has the code and the place. */
function refused(what: string, code: string, at: string, payload: WrongAdapter['payload']) {
  return { what, found: `rejected ["${code} ${at}`, ...(payload && { payload }) };
}

const menus: readonly WrongAdapter[] = [
  refused('leaves a list out', 'missing_field', '/categories', drop('categories')),
  refused('sends an empty id', 'missing_field', '/menu/id', set('menu.id', '')),
  refused('sends null', 'wrong_type', '/menu/description', set('menu.description', null)),
  refused('sends a number', 'wrong_type', '/items/0/price', set('items.0.price', 150)),
  refused(
    'has fields of another app',
    'unknown_field',
    '/items/0/title',
    set('items.0.title', 'x'),
  ),
  refused('repeats an item', 'duplicate_id', '/items/7', repeat('items')),
  refused('repeats a group', 'duplicate_id', '/items/0', repeat('items.0.option_groups')),
  refused(
    'repeats an option',
    'duplicate_id',
    '/option_groups/0',
    repeat('option_groups.0.options'),
  ),
  refused('names no category', 'unknown_reference', '/menu', set('menu.category_ids.0', 'C9')),
  refused(
    'names no group',
    'unknown_reference',
    '/items/1',
    set('items.1.option_groups.0.id', 'G'),
  ),
  refused('sends unused items', 'orphan_item', '/items/7', repeat('items', { id: 'I9' })),
  refused('writes one decimal', 'invalid_price', '/items/0', set('items.0.price', '150.0')),
  refused('writes a comma', 'invalid_price', '/items/0', set('items.0.price', '150,00')),
  refused('writes hundredths', 'invalid_price', '/items/0', set('items.0.price', '15000')),
  refused('turns limits', 'invalid_quantity', '/items/0', set('items.0.option_groups.0.min', 3)),
  refused('permits nothing', 'invalid_quantity', '/items/0', set('items.0.option_groups.1.max', 0)),
  refused(
    'has more free than it permits',
    'invalid_quantity',
    '/items/2',
    set('items.2.option_groups.0.free', 3),
  ),
  refused('sends letters as a barcode', 'wrong_type', '/items/0/ean', set('items.0.ean', 'none')),
  refused('forgets limits', 'missing_field', '/items/0', drop('items.0.option_groups.0.min')),
  refused('sends no hours', 'no_shifts', '/menu/shifts', set('menu.shifts', [])),
  refused('writes 24:00', 'invalid_time', '/menu/shifts/1', set('menu.shifts.1.end_time', '24:00')),
  refused('writes 9:00', 'invalid_time', '/menu/shifts/0', set('menu.shifts.0.start_time', '9:00')),
  refused('crosses midnight', 'window_order', '/menu', set('menu.shifts.1.end_time', '02:00')),
  refused('overlaps', 'windows_overlap', '/menu', set('menu.shifts.1.start_time', '14:00')),
  refused('closes a day', 'weekdays_not_all', '/menu', set('menu.shifts.0.sunday', false)),
  refused('cuts no name', 'text_too_long', '/items/0/name', set('items.0.name', 'n'.repeat(101))),
  refused('sends no name', 'text_too_long', '/items/0/name', set('items.0.name', '')),
  refused('cuts no text', 'text_too_long', '/menu', set('menu.description', 'd'.repeat(1_001))),
  refused(
    'takes http',
    'invalid_image_url',
    '/items/0',
    set('items.0.image_url', 'http://x.y/1.png'),
  ),
  refused(
    'sends a blank in a URL',
    'invalid_image_url',
    '/items/0',
    set('items.0.image_url', 'https://x.y/a b.png'),
  ),
];

const shown: readonly WrongAdapter[] = [
  ['loses lunch', set('menu.shifts', (shifts: readonly object[]) => shifts.slice(1))],
  ['loses the hours of an item', drop('items.2.shifts')],
  ['sends the price of the item for that of the menu', set('items.1.price', '130.00')],
  ['sends whole units', set('items.0.price', '15000.00')],
  ['loses the price of an option', drop('option_groups.0.options.0.price')],
  ['sends limits of the group for those of the item', set('items.0.option_groups.0.min', 0)],
  ['loses a barcode', drop('items.0.ean')],
  ['charges for what is free', drop('items.2.option_groups.0.free')],
  ['takes exactly one for at most one', set('items.0.option_groups.1.min', 0)],
  ['sends a price of 0 as none', drop('option_groups.1.options.1.price')],
  ['cuts inside a letter', set('items.1.description', `${'e\u0301'.repeat(499)}e`)],
  ['loses a description', drop('categories.0.description')],
  ['loses the groups of an option', set('items.3.option_groups', [])],
  ['loses an image', drop('items.0.image_url')],
  ['turns the order', set('categories.0.item_ids', ['I/2', 'I1'])],
].map(([what, payload]) => ({
  what: String(what),
  payload: payload as (right: object) => unknown,
  found: 'shows otherwise: ',
}));

const calls: readonly WrongAdapter[] = [
  {
    what: 'asks for a token as JSON',
    request: where(
      TOKEN,
      body((text) => JSON.stringify(Object.fromEntries(new URLSearchParams(text)))),
    ),
    found: 'no token: unsupported_grant_type',
  },
  {
    what: 'has another secret',
    request: where(
      TOKEN,
      body((text) => text.replace('=secret', '=other')),
    ),
    found: 'no token: invalid_client',
  },
  {
    what: 'sends no token',
    request: where(PUSH, headers({ authorization: undefined })),
    found: 'token_expired',
  },
  {
    what: 'sends the token in another header',
    request: where(PUSH, (right) =>
      headers({ authorization: undefined, 'x-authorization': right.headers?.['authorization'] })(
        right,
      ),
    ),
    found: 'token_expired',
  },
  { what: 'posts the menu', request: where(PUSH, method('POST')), found: 'rejected ["not_found' },
  {
    what: 'names an unknown merchant',
    request: where(PUSH, url('/merchants/', '/merchants/unknown-')),
    found: 'rejected ["merchant_not_found',
  },
  {
    what: 'sends no JSON',
    request: where(
      PUSH,
      body((text) => text.slice(1)),
    ),
    found: 'rejected ["invalid_json',
  },
  {
    what: 'puts items',
    request: where(ITEMS, method('PUT')),
    found: 'switch rejected ["not_found',
  },
  {
    what: 'sends items as a list',
    request: where(
      ITEMS,
      body((text) => text.slice('{"items":'.length, -1)),
    ),
    found: 'switch rejected ["missing_field /items',
  },
  {
    what: 'switches by another word',
    request: where(
      ITEMS,
      body((text) => text.replaceAll('UNAVAILABLE', 'unavailable')),
    ),
    found: 'switch rejected ["wrong_type /items/0',
  },
  {
    what: 'turns on and off around',
    request: where(
      ITEMS,
      body((text) => text.replaceAll('UNAVAILABLE', 'AVAILABLE')),
    ),
    found: 'switches otherwise: none off',
  },
  {
    what: 'switches an item by another id',
    request: where(
      ITEMS,
      body((text) => text.replace('I1', 'i1')),
    ),
    found: 'switch partly_switched [{"externalId":"I1","message":"The app gave no reason."}]',
  },
  {
    what: 'sends more items than a call takes',
    request: where(
      ITEMS,
      body(() =>
        JSON.stringify({
          items: Array.from({ length: 101 }, () => ({ id: 'I1', status: 'AVAILABLE' })),
        }),
      ),
    ),
    found: 'switch rejected ["too_many_items',
  },
  {
    what: 'says open as text',
    request: where(
      OPEN,
      body((text) => text.replace('false', '"false"')),
    ),
    found: 'pause rejected ["wrong_type /open',
  },
  {
    what: 'turns open and closed around',
    request: where(
      OPEN,
      body((text) => text.replace('false', 'true')),
    ),
    found: 'pauses otherwise',
  },
];

describeWrongAdapters({
  app: { name: 'app-b', menus: 1, simulate: createAppB },
  wrong: [...menus, ...shown, ...calls],
  rules: MENU_ERROR_CODES,
});
