import type { AppAnswer, AppCall } from '../app-simulator';
import { jsonAnswer } from '../app-simulator';
import { type RateWindow, withRetryAfter } from '../rate-window';
import type { StoreStates } from '../store-states';
import { array, type Check, id, imageUrl, isObject, object, price, uniqueIds } from './check-shape';
import type { MenuError } from './menu-error';
import { description, name } from './validate-menu';
import { parseJson } from '../read-json';

const MOST_ELEMENTS = 100;

/** A text that null or an empty one clears. */
const clearable =
  (check: Check): Check =>
  (value, path, report) => {
    if (value !== null && value !== '') check(value, path, report);
  };

const keyOf = (...keys: readonly string[]) =>
  uniqueIds((element) =>
    isObject(element) ? JSON.stringify(keys.map((key) => element[key])) : undefined,
  );

const body = object({
  optional: {
    items: array(
      object({
        required: { id },
        optional: {
          name,
          description: clearable(description),
          image_url: clearable(imageUrl),
          price,
        },
      }),
      keyOf('id'),
    ),
    options: array(
      object({ required: { group_id: id, item_id: id, price } }),
      keyOf('group_id', 'item_id'),
    ),
  },
});

interface ItemChange {
  readonly id: string;
  readonly [field: string]: unknown;
}

interface OptionChange {
  readonly group_id: string;
  readonly item_id: string;
  readonly price: string;
}

type Entity = Readonly<Record<string, unknown>>;

/**
 * Answers a call that changes up to 100 items and prices of options: only what is sent changes. Unknown ones are named,
 * and the others changed.
 */
export function answerChanges(
  call: AppCall,
  merchantId: string,
  stores: StoreStates,
  rate: RateWindow,
): AppAnswer {
  const waitMs = rate.take(merchantId);
  if (waitMs > 0) return withRetryAfter(jsonAnswer(429, { error: 'too_many_requests' }), waitMs);
  const sent = parseJson(call.body);
  const errors = errorsOf(sent);
  if (errors.length > 0) return jsonAnswer(400, { errors });
  const { items = [], options = [] } = sent as {
    readonly items?: readonly ItemChange[];
    readonly options?: readonly OptionChange[];
  };
  const scripted = call.fault?.kind === 'item_failed' ? call.fault.ids : [];
  const menu = (parseJson(stores.shown(merchantId).payload ?? Buffer.from('{}')) ?? {}) as Entity;
  const [shownItems, groups] = [entities(menu['items']), entities(menu['option_groups'])];
  const knownItems = new Set(shownItems.map((item) => item['id']));
  const knownOptions = new Set(groups.flatMap(optionsOf));
  const [goodItems, badItems] = split(
    items,
    (item) => knownItems.has(item.id) && !scripted.includes(item.id),
  );
  const [goodOptions, badOptions] = split(
    options,
    (option) => knownOptions.has(optionKey(option)) && !scripted.includes(option.item_id),
  );
  const payload = JSON.stringify({
    ...menu,
    items: shownItems.map((item) => changedItem(item, goodItems)),
    option_groups: groups.map((group) => changedGroup(group, goodOptions)),
  });
  const named = ({ group_id, item_id }: OptionChange) => ({ group_id, item_id });
  return {
    ...jsonAnswer(200, {
      updated: [...goodItems.map((item) => item.id), ...goodOptions.map(named)],
      failed: [
        ...badItems.map((item) => ({ id: item.id, code: 'item_not_found' })),
        ...badOptions.map((option) => ({ ...named(option), code: 'option_not_found' })),
      ],
    }),
    ...(goodItems.length + goodOptions.length > 0 && {
      changed: { storeId: merchantId, payload: Buffer.from(payload) },
    }),
  };
}

function errorsOf(sent: unknown): readonly MenuError[] {
  const errors: MenuError[] = [];
  const report = (code: MenuError['code'], path: string, message: string): void => {
    errors.push({ code, path, message });
  };
  body(sent, '', report);
  const { items, options } = isObject(sent) ? sent : {};
  const count = entities(items).length + entities(options).length;
  if (count === 0) report('missing_field', '/items', 'is required');
  if (count > MOST_ELEMENTS) {
    return [
      { code: 'too_many_items' as MenuError['code'], path: '/items', message: 'is too long' },
    ];
  }
  return errors;
}

function changedItem(item: Entity, changes: readonly ItemChange[]): Entity {
  const change = changes.find(({ id: changedId }) => changedId === item['id']);
  if (!change) return item;
  const fields = Object.entries({ ...item, ...change });
  return Object.fromEntries(fields.filter(([, value]) => value !== null && value !== ''));
}

function changedGroup(group: Entity, changes: readonly OptionChange[]): Entity {
  const ofGroup = changes.filter((change) => change.group_id === group['id']);
  if (ofGroup.length === 0) return group;
  return {
    ...group,
    options: entities(group['options']).map((option) => {
      const change = ofGroup.find(({ item_id: changedId }) => changedId === option['item_id']);
      return change ? { ...option, price: change.price } : option;
    }),
  };
}

function optionsOf(group: Entity): readonly string[] {
  return entities(group['options']).map((option) =>
    optionKey({ group_id: group['id'], item_id: option['item_id'] }),
  );
}

function optionKey({ group_id, item_id }: Pick<Record<string, unknown>, 'group_id' | 'item_id'>) {
  return JSON.stringify([group_id, item_id]);
}

function split<T>(list: readonly T[], isGood: (one: T) => boolean): [readonly T[], readonly T[]] {
  return [list.filter(isGood), list.filter((one) => !isGood(one))];
}

function entities(value: unknown): readonly Entity[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}
