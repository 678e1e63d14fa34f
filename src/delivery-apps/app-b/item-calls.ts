import { sendBearerJson } from '../bearer-json';
import { parseJson, toOutcome } from '../http-outcome';
import { isRecord } from '../is-record';
import type { ClientOptions, ItemCallOutcome, ItemCallRequest } from '../app-client';
import {
  areSame,
  type Differing,
  differingEntities,
  differingMembers,
} from '../payload-differences';
import { reasonText } from '../reason-text';
import type { ItemCallRules } from '../types';
import { readMenuErrors } from './refusal-reasons';
import { itemsPath } from './rules';
import type { WireDocument, WireItem, WireOptionGroup } from './wire';

/** Items and prices of options in one call. */
const MOST_ELEMENTS = 100;

interface ItemChange {
  readonly id: string;
  readonly name?: string;
  /** Null clears it, as it does the image. */
  readonly description?: string | null;
  readonly image_url?: string | null;
  readonly price?: string;
}

interface OptionChange {
  readonly group_id: string;
  readonly item_id: string;
  readonly price: string;
}

interface Changes {
  readonly items?: readonly ItemChange[];
  readonly options?: readonly OptionChange[];
}

/** Texts, images and prices in one call; barcodes need the whole menu. */
export const APP_B_ITEM_CALLS: ItemCallRules = {
  mostCalls: 1,
  // 60 a minute.
  spacingMs: 1_000,
  plan(before, after) {
    const [shown, wanted] = [before as WireDocument, after as WireDocument];
    const isRestSame =
      areSame(shown.menu, wanted.menu) && areSame(shown.categories, wanted.categories);
    const items = isRestSame && differingEntities(shown.items, wanted.items, ({ id }) => id);
    const groups =
      items && differingEntities(shown.option_groups, wanted.option_groups, ({ id }) => id);
    const changedItems = items ? allOf(items.map(planItem)) : undefined;
    const changedOptions = groups ? allOf(groups.map(planGroup))?.flat() : undefined;
    if (!changedItems || !changedOptions) return undefined;
    const count = changedItems.length + changedOptions.length;
    if (count > MOST_ELEMENTS) return undefined;
    const body: Changes = {
      ...(changedItems.length > 0 && { items: changedItems }),
      ...(changedOptions.length > 0 && { options: changedOptions }),
    };
    return { calls: count === 0 ? [] : [{ wireId: null, body }] };
  },
};

/** Undefined if one of them is. */
function allOf<T>(list: readonly (T | undefined)[]): readonly T[] | undefined {
  return list.includes(undefined) ? undefined : (list as readonly T[]);
}

const TAKEN: ReadonlySet<keyof WireItem> = new Set(['name', 'description', 'image_url', 'price']);

function planItem(item: Differing<WireItem>): ItemChange | undefined {
  const members = differingMembers(item);
  if (members.some((name) => !TAKEN.has(name))) return undefined;
  const { id, name, description = null, image_url = null, price } = item.after;
  return {
    id,
    ...(members.includes('name') && { name }),
    ...(members.includes('description') && { description }),
    ...(members.includes('image_url') && { image_url }),
    ...(members.includes('price') && { price }),
  };
}

/** The price of an option can be changed, but not taken away, so that it is the item's again. */
function planGroup(group: Differing<WireOptionGroup>): readonly OptionChange[] | undefined {
  const { before, after } = group;
  if (differingMembers(group).some((name) => name !== 'options')) return undefined;
  const options = differingEntities(before.options, after.options, (option) => option.item_id);
  return (
    options &&
    allOf(
      options.map(({ after: { item_id, price } }) =>
        price === undefined ? undefined : { group_id: after.id, item_id, price },
      ),
    )
  );
}

/** Changes items and prices of options; what is not sent stays. */
export async function changeItems(
  options: ClientOptions,
  { token, appStoreId, call }: ItemCallRequest,
): Promise<ItemCallOutcome> {
  const changes = call.body as Changes;
  const body = Buffer.from(JSON.stringify(changes));
  const result = await sendBearerJson(options, token, {
    method: 'PATCH',
    path: itemsPath(appStoreId),
    body,
  });
  return toOutcome<ItemCallOutcome>(result, {
    now: Date.now(),
    secrets: [token],
    success: ({ text }) => readChanged(text, changes, token),
    reasons: (text) => readMenuErrors(text, body),
  });
}

/**
 * `{"updated":[id, {group_id, item_id}],"failed":[{id, group_id, item_id, code}]}`; any other form is unreadable. An
 * element counts as changed only if it is named so.
 */
function readChanged(text: string, changes: Changes, token: string): ItemCallOutcome | undefined {
  const answer = parseJson(text);
  if (!isRecord(answer) || !Array.isArray(answer['updated'])) return undefined;
  const failed = (Array.isArray(answer['failed']) ? answer['failed'] : []).filter(isRecord);
  const updated = new Set(answer['updated'].map(nameOf));
  const codes = new Map(failed.map((each) => [nameOf(each), each['code']]));
  const wanted = [...(changes.items ?? []), ...(changes.options ?? [])].map(nameOf);
  const refused = wanted.filter((name) => codes.has(name) || !updated.has(name));
  if (refused.length === 0) return { kind: 'changed' };
  const reasons = refused.map((name) => {
    const code = codes.get(name);
    const why = typeof code === 'string' ? reasonText(code, [token]) : '';
    return `${name}: ${why || 'The app gave no reason.'}`;
  });
  return { kind: 'rejected', reasons };
}

/** An element of a change or of its answer: an item by its id, an option by those of its group and item. */
function nameOf(element: unknown): string {
  if (!isRecord(element)) return String(element);
  const { id, group_id: groupId, item_id: itemId } = element;
  return typeof groupId === 'string' ? `${groupId} ${String(itemId ?? id)}` : String(id);
}
