import type { AppAnswer, AppCall } from '../app-simulator';
import {
  BrokenRule,
  byId,
  fail,
  isJsonObject,
  type Json,
  notLonger,
  optionalText,
} from './menu-checks';
import { shownGroup, shownItem } from './show-menu';
import { type SwitchParts, TOO_OFTEN_ERRNO } from './switch-items';
import { checkGroup, checkItem } from './validate-menu';

const PARAMETER_ERRNO = 10002;
/** Shorter than in an upload. */
const LONGEST_TEXT = 300;

/** What each call has fields for, besides the token; of its entity, these are replaced, absent ones too. */
const ITEM_FIELDS = [
  'app_item_id',
  'item_name',
  'price',
  'status',
  'is_sold_separately',
  'app_external_id',
  'short_desc',
  'sold_info_intl',
  'head_img',
  'tax_rate',
  'priority',
  'tax_info_list',
];
const GROUP_FIELDS = [
  'app_modifier_group_id',
  'modifier_group_name',
  'buy_mode',
  'is_required',
  'quantity_min_permitted',
  'quantity_max_permitted',
  'app_mg_items',
];
const OPTION_FIELDS = ['app_item_id', 'price'];
const NOTHING_REFUSED: ReadonlySet<string> = new Set();

/** Answers a call that replaces one item; its groups, alcohol and promotion have no field and stay. */
export function answerItemChange(
  call: AppCall,
  body: Json,
  shopId: string,
  parts: SwitchParts,
): AppAnswer {
  return answerChange(call, body, shopId, parts, {
    list: 'items',
    key: 'app_item_id',
    fields: ITEM_FIELDS,
    check(id, item, menu) {
      checkItem(id, item, { groups: byId(menu.groups, 'app_modifier_group_id') });
      notLonger(optionalText(item['short_desc'], 'short_desc', id), LONGEST_TEXT, 'short_desc', id);
    },
    show: (item) => shownItem(item, NOTHING_REFUSED),
  });
}

/** Answers a call that replaces one group; its name in our system and limits of options have no field and stay. */
export function answerGroupChange(
  call: AppCall,
  body: Json,
  shopId: string,
  parts: SwitchParts,
): AppAnswer {
  return answerChange(call, body, shopId, parts, {
    list: 'modifier_groups',
    key: 'app_modifier_group_id',
    fields: GROUP_FIELDS,
    check(id, group, menu) {
      checkGroup(id, group, { items: byId(menu.items, 'app_item_id') });
      for (const option of listOf(group['app_mg_items'])) onlyThese(option, OPTION_FIELDS, id);
    },
    show: (group) => shownGroup(group, NOTHING_REFUSED),
  });
}

interface Kind {
  readonly list: 'items' | 'modifier_groups';
  readonly key: string;
  readonly fields: readonly string[];
  readonly check: (
    id: string,
    entity: Json,
    menu: { readonly items: readonly Json[]; readonly groups: readonly Json[] },
  ) => void;
  readonly show: (entity: Json) => Json;
}

function answerChange(
  call: AppCall,
  { auth_token: _token, ...sent }: Json,
  shopId: string,
  { stores, rate, answers }: SwitchParts,
  { list, key, fields, check, show }: Kind,
): AppAnswer {
  if (rate.take(shopId) > 0) return answers.error(TOO_OFTEN_ERRNO, 'called too often');
  const menu: unknown = JSON.parse(stores.shown(shopId).payload?.toString('utf8') ?? '{}');
  const shown = isJsonObject(menu) ? menu : {};
  const id = String(sent[key]);
  const before = listOf(shown[list]).find((entity) => entity[key] === sent[key]);
  const isScripted = call.fault?.kind === 'item_failed' && call.fault.ids.includes(id);
  let changed: Json;
  try {
    if (!before || isScripted) fail(`${key} does not exist`, id);
    onlyThese(sent, fields, id);
    const kept = Object.entries(before).filter(([name]) => !fields.includes(name));
    changed = { ...Object.fromEntries(kept), ...sent };
    check(id, changed, {
      items: listOf(shown['items']),
      groups: listOf(shown['modifier_groups']),
    });
  } catch (error) {
    if (error instanceof BrokenRule) return answers.error(PARAMETER_ERRNO, error.message);
    throw error;
  }
  if (list === 'items') {
    const isOff = sent['status'] === 2;
    stores.switchItems(shopId, isOff ? [{ id, until: null }] : [], isOff ? [] : [id]);
  }
  const entities = listOf(shown[list]).map((each) => (each === before ? show(changed) : each));
  const payload = Buffer.from(JSON.stringify({ ...shown, [list]: entities }));
  return { ...answers.ok('{}'), changed: { storeId: shopId, payload } };
}

function onlyThese(entity: Json, fields: readonly string[], id: string): void {
  const unknown = Object.keys(entity).find((name) => !fields.includes(name));
  if (unknown !== undefined) fail(`${unknown} is no parameter`, id);
}

function listOf(value: unknown): readonly Json[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}
