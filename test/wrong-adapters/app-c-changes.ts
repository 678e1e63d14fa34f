import type { WrongAdapter } from './judge-adapter';
import { body, where } from './spoil';

const ITEM = /updateItem$/;
const GROUP = /updateModifierGroup$/;

/** Of the calls that change single items. */
export const APP_C_CHANGES: readonly WrongAdapter[] = [
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
];
