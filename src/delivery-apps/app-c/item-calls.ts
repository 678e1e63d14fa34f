import type { ClientOptions, ItemCall, ItemCallOutcome, ItemCallRequest } from '../app-client';
import {
  areSame,
  type Differing,
  differingEntities,
  differingMembers,
  losesMember,
} from '../payload-differences';
import { isLonger } from '../../platform/text/is-longer';
import type { ItemCallRules } from '../types';
import { ownFailure, post, readAnswer } from './availability';
import { ITEM_CALL_TEXT, ITEM_OFF_SALE, ITEM_ON_SALE, PATHS } from './rules';
import type { WireGroup, WireItem, WirePayload } from './wire';

/** The members of an item that may differ; promotions, alcohol and groups need the whole menu. */
const TAKEN: ReadonlySet<keyof WireItem> = new Set([
  'item_name',
  'short_desc',
  'head_img',
  'price',
  'sold_info_intl',
  'tax_info_list',
  'tax_rate',
]);

/** One whole item or group a call; copies are items of their own. */
export const APP_C_ITEM_CALLS: ItemCallRules = {
  mostCalls: 10,
  // One a second, minus a margin: one too many costs a minute.
  spacingMs: 1_500,
  saysOffSale: true,
  plan(before, after) {
    const [shown, wanted] = [before as WirePayload, after as WirePayload];
    const isRestSame =
      areSame(shown.menus, wanted.menus) && areSame(shown.categories, wanted.categories);
    const items =
      isRestSame && differingEntities(shown.items, wanted.items, (item) => item.app_item_id);
    const groups =
      items &&
      differingEntities(
        shown.modifier_groups,
        wanted.modifier_groups,
        (group) => group.app_modifier_group_id,
      );
    if (!items || !groups) return undefined;
    const calls = [...items.map(planItem), ...groups.map(planGroup)];
    if (calls.includes(undefined)) return undefined;
    // The call takes other sizes of images than an upload.
    const images = items.flatMap((item) =>
      item.after.head_img !== undefined && item.before.head_img !== item.after.head_img
        ? [item.after.head_img]
        : [],
    );
    return { calls: calls.filter((call) => call !== undefined), images };
  },
};

/** The whole item each time; without whether it is on sale, which is known when it is sent. */
function planItem(item: Differing<WireItem>): ItemCall | undefined {
  const { before, after } = item;
  const {
    status: _status,
    activity_price: promotion,
    has_wine: _alcohol,
    app_modifier_group_ids: _groups,
    ...body
  } = after;
  const isPush =
    differingMembers(item).some((name) => !TAKEN.has(name)) ||
    // Whether the app clears what is not sent is unknown.
    losesMember(before, after) ||
    promotion !== undefined ||
    (body.short_desc !== undefined && isLonger(body.short_desc, ITEM_CALL_TEXT));
  return isPush ? undefined : { wireId: after.app_item_id, body };
}

/** The whole group each time, with other prices of the same options. */
function planGroup(group: Differing<WireGroup>): ItemCall | undefined {
  const { before, after } = group;
  if (differingMembers(group).some((name) => name !== 'app_mg_items')) return undefined;
  const areOthers = !differingEntities(
    before.app_mg_items,
    after.app_mg_items,
    (option) => option.app_item_id,
  );
  if (areOthers) return undefined;
  const { app_external_id: _posId, ...body } = after;
  return { wireId: null, body };
}

/** Replaces one item, or one group of options. */
export async function changeItems(
  options: ClientOptions,
  { token, call: { wireId, body }, isOff }: ItemCallRequest,
): Promise<ItemCallOutcome> {
  const isItem = wireId !== null;
  const result = await post(options, isItem ? PATHS.item : PATHS.group, {
    auth_token: token,
    ...body,
    ...(isItem && { status: isOff ? ITEM_OFF_SALE : ITEM_ON_SALE }),
  });
  return readAnswer<ItemCallOutcome>(result, token, () => ({ kind: 'changed' }), ownFailure);
}
