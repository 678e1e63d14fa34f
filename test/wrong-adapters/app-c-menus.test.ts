import { createAppC } from '../../dev/sandbox/app-c/app-c';
import { describeWrongAdapters } from './describe-wrong-adapters';
import type { WrongAdapter } from './judge-adapter';
import { drop, repeat, set } from './spoil';

/** The app's first filter: the sentence has the POS id. */
function refused(what: string, sentence: string, id: string, payload: WrongAdapter['payload']) {
  const found = `rejected ["${sentence}, related app_item_id is ${id === '' ? '' : `${id} `}(errno 10001)`;
  return { what, found, ...(payload && { payload }) };
}

const GROUP = 'modifier_groups.0';
const HOURS = 'items.0.sold_info_intl.0';
const menus: readonly WrongAdapter[] = [
  refused('leaves a list out', 'categories is empty', '', drop('categories')),
  refused(
    'sends two menus',
    'there must be exactly 1 menu',
    '',
    repeat('menus', { app_menu_id: 'M2' }),
  ),
  refused('sends no name', 'item name is empty', 'I1', set('items.0.item_name', '')),
  refused('sends decimals', 'price is invalid', 'I1', set('items.0.price', 150.5)),
  refused('sends text for a price', 'price is invalid', 'I1', set('items.0.price', '15000')),
  refused('forgets the status', 'status is empty', 'I1', drop('items.0.status')),
  refused('writes the status as a word', 'status is invalid', 'I1', set('items.0.status', 'on')),
  refused(
    'forgets what is sold',
    'is_sold_separately is empty',
    'X1',
    drop('items.3.is_sold_separately'),
  ),
  refused('says yes to alcohol', 'has_wine is invalid', 'I1', set('items.0.has_wine', true)),
  refused(
    'promotes alcohol',
    'activity_price is not allowed on alcohol',
    'I3',
    set('items.2.has_wine', 1),
  ),
  refused(
    'sends percent of a tax',
    'tax_info_list rate is invalid',
    'I1',
    set('items.0.tax_info_list.0.rate', 16),
  ),
  refused('promotes at 0', 'activity_price is invalid', 'I3', set('items.2.activity_price', 0)),
  refused(
    'promotes by less than 1%',
    'activity_price is less than 1% below price',
    'I3',
    set('items.2.activity_price', 2_499),
  ),
  refused(
    'cuts no text',
    'short_desc is too long',
    'I1',
    set('items.0.short_desc', 'd'.repeat(401)),
  ),
  refused('cuts no menu', 'menu name is too long', 'M1', set('menus.0.menu_name', 'm'.repeat(51))),
  refused(
    'cuts no category',
    'category name is too long',
    'C1',
    set('categories.0.category_name', 'c'.repeat(101)),
  ),
  refused('repeats an item', 'app_item_id is repeated', 'I1', repeat('items')),
  refused(
    'repeats a reference',
    'app_item_ids is repeated: I1',
    'C1',
    repeat('categories.0.app_item_ids'),
  ),
  refused(
    'names no item',
    'app_item_ids does not exist: I9',
    'C1',
    set('categories.0.app_item_ids.0', 'I9'),
  ),
  refused(
    'names no group',
    'app_modifier_group_ids does not exist: G9',
    'I1',
    set('items.0.app_modifier_group_ids', ['G9']),
  ),
  refused(
    'gives options no category',
    'item is in no category',
    'X1',
    set('categories.2.app_item_ids', []),
  ),
  refused(
    'adds a category of options to as many as the app takes',
    'there are more than 20 categories',
    '',
    set('categories', (list: readonly { readonly app_category_id: string }[]) => [
      ...list,
      ...Array.from({ length: 18 }, (_, n) => ({
        ...list[1],
        app_category_id: `C${n + 3}`,
        app_item_ids: [],
      })),
    ]),
  ),
  refused(
    'sends long ids',
    'id is too long',
    'g'.repeat(151),
    repeat('modifier_groups', { app_modifier_group_id: 'g'.repeat(151) }),
  ),
  refused('forgets the buy mode', 'buy_mode is empty', 'G1', drop(`${GROUP}.buy_mode`)),
  refused('writes 0 for no', 'is_required is invalid', 'G1', set(`${GROUP}.is_required`, 0)),
  refused(
    'turns limits',
    'quantity_max_permitted is less than quantity_min_permitted',
    'G1',
    set(`${GROUP}.quantity_min_permitted`, 3),
  ),
  refused(
    'writes a price of an option as text',
    'app_mg_items price is invalid',
    'G1',
    set(`${GROUP}.app_mg_items.0.price`, '1200'),
  ),
  refused(
    'starts the week on Sunday',
    'sold_info_intl day is invalid',
    'I1',
    set(`${HOURS}.day`, [0]),
  ),
  refused(
    'repeats a day',
    'sold_info_intl day is repeated',
    'I1',
    repeat('items.0.sold_info_intl'),
  ),
  refused(
    'writes 9:00',
    'sold_info_intl time is invalid',
    'I1',
    set(`${HOURS}.time.0.begin`, '9:00'),
  ),
  refused(
    'crosses midnight',
    'sold_info_intl time is invalid',
    'I1',
    set(`${HOURS}.time.1.end`, '02:00'),
  ),
];

const shown: readonly WrongAdapter[] = [
  ['cuts no name of an item', set('items.0.item_name', `Margherita ${'n'.repeat(50)}`)],
  ['promotes above the price', set('items.2.activity_price', 2_600)],
  ['sends whole units', set('items.0.price', 150)],
  ['sends the price of the item for that of the menu', set('items.1.price', 13_000)],
  ['loses the price of an option', set(`${GROUP}.app_mg_items.0.price`, 1_500)],
  ['loses the excise', set('items.0.tax_info_list', [{ type: 1, rate: 1_600 }])],
  ['charges for what is free', set('modifier_groups.3.app_mg_items.0.price', 500)],
  ['adds what is free to the others', set('modifier_groups.4.quantity_max_permitted', 2)],
  ['takes exactly one for at most one', set('modifier_groups.2.quantity_min_permitted', 0)],
  ['sends a price of 0 as none', drop('modifier_groups.2.app_mg_items.1.price')],
  ['cuts inside a letter', set('items.1.short_desc', `${'e\u0301'.repeat(199)}e`)],
  ['loses the hours of the menu', drop('items.0.sold_info_intl')],
  ['loses a promotion', drop('items.2.activity_price')],
  [
    'sends limits of the group for those of the item',
    set('items.0.app_modifier_group_ids.0', 'G1'),
  ],
  ['sells an option', set('items.3.is_sold_separately', true)],
  ['loses an image', drop('items.0.head_img')],
  ['counts on priority for the order', set('categories.0.app_item_ids', ['I/2', 'I1'])],
].map(([what, payload]) => ({
  what: String(what),
  payload: payload as (right: object) => unknown,
  found: 'shows otherwise: ',
}));

const dinars: WrongAdapter = {
  what: 'sends hundredths of a dinar, which has thousandths',
  payload: set('items.0.price', 15_000),
  currencyExponent: 3,
  found: 'shows otherwise: the price of /items/0: 15000 is shown as 1500',
};

describeWrongAdapters({
  app: {
    name: 'app-c',
    menus: 1,
    simulate: (options) => createAppC(options),
    keepsLastSpecialDay: true,
    credentialOf: (appStoreId) => ({ app_shop_id: appStoreId }),
  },
  wrong: [...menus, ...shown, dinars],
  rules: ['errno 10001'],
});
