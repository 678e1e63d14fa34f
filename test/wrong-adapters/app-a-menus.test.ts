import { createAppA } from '../../dev/sandbox/app-a/app-a';
import { describeWrongAdapters } from './describe-wrong-adapters';
import type { WrongAdapter } from './judge-adapter';
import { drop, repeat, set } from './spoil';

const invalid = (rule: string) => `rejected ["${rule}`;
const PRICE = invalid('Invalid Price Info: item I1 price');
const QUANTITY = invalid('Invalid Quantity');

const menus: readonly WrongAdapter[] = [
  { what: 'sends no menus', payload: set('menus', []), found: invalid('No Menus') },
  { what: 'leaves a list out', payload: drop('modifier_groups'), found: invalid('Missing Field') },
  { what: 'sends a map of items', payload: set('items', {}), found: invalid('Invalid Request') },
  { what: 'forgets a title', payload: drop('menus.0.title'), found: invalid('Missing Field') },
  {
    what: 'sends plain titles',
    payload: set('categories.0.title', 'Pizza'),
    found: invalid('Invalid Request'),
  },
  {
    what: 'sends two locales',
    payload: set('items.0.title.translations.en_us', 'Margherita'),
    found: invalid('Invalid Request'),
  },
  {
    what: 'sends a language without country',
    payload: set('items.0.title', { translations: { es: 'Margherita' } }),
    found: invalid('Invalid Request'),
  },
  {
    what: 'sends null for nothing',
    payload: set('items.1.description', null),
    found: invalid('Invalid Request'),
  },
  {
    what: 'cuts nothing of the external data',
    payload: set('items.0.external_data', 'I'.repeat(1_025)),
    found: invalid('Invalid Request'),
  },
  {
    what: 'names another menu type',
    payload: set('menu_type', 'DELIVERY'),
    found: invalid('Invalid Request'),
  },
  {
    what: 'splits the menus by a type',
    payload: set('menu_type', 'MENU_TYPE_FULFILLMENT_PICK_UP'),
    found: 'shows nothing',
  },
  { what: 'forgets tax_info', payload: drop('items.0.tax_info'), found: invalid('Missing Field') },
  { what: 'sends an item without id', payload: drop('items.0.id'), found: invalid('nil item') },
  {
    what: 'forgets the type of a reference',
    payload: drop('categories.0.entities.0.type'),
    found: invalid('Invalid Request'),
  },
  { what: 'loses descriptions', payload: drop('items.0.description'), found: 'shows otherwise' },
  {
    what: 'sends a price of 0 as none',
    payload: drop('items.6.price_info.overrides'),
    found: 'shows otherwise',
  },
  { what: 'loses images', payload: drop('items.0.image_url'), found: 'shows otherwise' },
  {
    what: 'turns the order of categories',
    payload: set('menus.0.category_ids', ['C2', 'C1']),
    found: 'shows otherwise',
  },
];

const hours: readonly WrongAdapter[] = [
  ['sends no hours', 'menus.0.service_availability', [], 'No Hours'],
  ['sends a day without times', 'menus.0.service_availability.0.time_periods', [], 'No Hours'],
  ['names an unknown day', 'menus.0.service_availability.0.day_of_week', 'mon', 'Invalid Request'],
  ['repeats a day', 'menus.0.service_availability.1.day_of_week', 'monday', 'Invalid Request'],
  [
    'is too short',
    'menus.0.service_availability.0.time_periods.0.end_time',
    '09:58',
    'Short Hours',
  ],
  [
    'writes 9:00',
    'menus.0.service_availability.0.time_periods.0.start_time',
    '9:00',
    'Invalid Time',
  ],
  [
    'writes 24:00',
    'menus.0.service_availability.0.time_periods.1.end_time',
    '24:00',
    'Invalid Time',
  ],
  [
    'crosses midnight',
    'menus.0.service_availability.0.time_periods.1.end_time',
    '02:00',
    'Invalid Time',
  ],
].map(([what, path, value, rule]) => ({
  what: String(what),
  payload: set(String(path), value),
  found: invalid(String(rule)),
}));

const partsOfLunch: WrongAdapter = {
  what: 'sends periods without a gap one by one',
  payload: set('menus.0.service_availability.0.time_periods', [
    { start_time: '09:00', end_time: '09:30' },
    { start_time: '09:31', end_time: '15:00' },
  ]),
  found: invalid('Short Hours'),
};

const prices: readonly WrongAdapter[] = [
  { what: 'sends decimals', payload: set('items.0.price_info.price', 150.5), found: PRICE },
  { what: 'sends text', payload: set('items.0.price_info.price', '15000'), found: PRICE },
  { what: 'sends no price', payload: drop('items.0.price_info.price'), found: PRICE },
  { what: 'sends a price below 0', payload: set('items.0.price_info.price', -1), found: PRICE },
  { what: 'is over the maximum', payload: set('items.0.price_info.price', 37_501), found: PRICE },
  {
    what: 'sends whole units',
    payload: set('items.0.price_info.price', 150),
    found: 'shows otherwise: the price of /items/0: 15000 is shown as 150',
  },
  {
    what: 'drops what a menu asks for',
    payload: drop('items.1.price_info.overrides'),
    found: 'shows otherwise: ',
  },
  {
    what: 'drops what a group asks for',
    payload: drop('items.3.price_info.overrides'),
    found: 'shows otherwise: ',
  },
  {
    what: 'repeats a context',
    payload: repeat('items.1.price_info.overrides'),
    found: invalid('Repeated Override'),
  },
  {
    what: 'names a context that is not there',
    payload: set('items.1.price_info.overrides.0.context_value', 'M9'),
    found: invalid('Unknown Reference'),
  },
  {
    what: 'names an unknown kind of context',
    payload: set('items.1.price_info.overrides.0.context_type', 'CATEGORY'),
    found: invalid('Invalid Request'),
  },
  {
    what: 'forgets the price of an override',
    payload: drop('items.1.price_info.overrides.0.price'),
    found: invalid('Invalid Price Info'),
  },
];

const references: readonly WrongAdapter[] = [
  { what: 'writes an option twice', payload: repeat('items'), found: invalid('Repeated Id') },
  {
    what: 'repeats a reference',
    payload: repeat('categories.0.entities'),
    found: invalid('Repeated Reference'),
  },
  ...[
    'menus.0.category_ids.0',
    'categories.0.entities.0.id',
    'items.0.modifier_group_ids.ids.0',
    'modifier_groups.0.modifier_options.0.id',
  ].map((path) => ({
    what: `names at ${path} what is not there`,
    payload: set(path, 'nothing'),
    found: invalid('Unknown Reference'),
  })),
];

const limits: readonly WrongAdapter[] = [
  {
    what: 'sends overrides alone',
    payload: drop('items.4.quantity_info.quantity'),
    found: invalid('Missing Field'),
  },
  ...[
    { min_permitted: 3, max_permitted: 2 },
    { min_permitted: -1 },
    { max_permitted: '2' },
    { min_permitted: 0, max_permitted: 2, charge_above: 1 },
    { min_permitted: 0, max_permitted: 2, charge_above: 3, refund_under: 0 },
    { min_permitted: 0, max_permitted: 2, charge_above: 1, refund_under: 1 },
    // The options of that group have different prices.
    { min_permitted: 0, max_permitted: 2, charge_above: 1, refund_under: 0 },
  ].map((quantity) => ({
    what: `limits a group by ${JSON.stringify(quantity)}`,
    payload: set('modifier_groups.0.quantity_info.quantity', quantity),
    found: QUANTITY,
  })),
  {
    what: 'limits different options of an item',
    payload: set('items.4.quantity_info.quantity', { max_permitted_unique: 1 }),
    found: QUANTITY,
  },
  {
    what: 'invents a minimum',
    payload: set('modifier_groups.2.quantity_info.quantity.min_permitted', 1),
    found: 'shows otherwise',
  },
  {
    what: 'charges for what is free',
    payload: set('modifier_groups.3.quantity_info.quantity', { max_permitted: 2 }),
    found: 'shows otherwise: the free units of G4',
  },
  {
    what: 'takes exactly one for at most one',
    payload: set('modifier_groups.1.quantity_info.quantity.min_permitted', 0),
    found: 'shows otherwise',
  },
  {
    what: 'forgets how often an option may be taken',
    payload: drop('items.4.quantity_info'),
    found: 'shows otherwise',
  },
  {
    what: 'loses the groups of an option',
    payload: drop('items.3.modifier_group_ids'),
    found: 'shows otherwise: the groups of /items/3',
  },
  {
    what: 'forgets limits of an item',
    payload: drop('modifier_groups.0.quantity_info.overrides'),
    found: 'shows otherwise',
  },
];

describeWrongAdapters({
  app: {
    name: 'app-a',
    menus: 2,
    endsSuspensions: true,
    simulate: (options) => createAppA({ ...options, maximumPrice: 37_500 }),
  },
  wrong: [...menus, ...hours, partsOfLunch, ...prices, ...references, ...limits],
  rules: [
    'No Menus',
    'No Hours',
    'Short Hours',
    'Invalid Time',
    'nil item',
    'Invalid Price Info',
    'Invalid Quantity',
    'Invalid Request',
    'Missing Field',
    'Repeated Id',
    'Repeated Reference',
    'Repeated Override',
    'Unknown Reference',
  ],
});
