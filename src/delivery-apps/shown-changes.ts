import { createHash } from 'node:crypto';
import { DETAIL_NAMES } from '../menus/details';
import type { ListRule, MenuChange } from '../menus/changes/compare-lists';
import { compareLists } from '../menus/changes/menu-changes';
import { answerText, parseJson } from './http-outcome';
import type { Shown } from './shown';
import type { DeliveryApp, ShownContext } from './types';

/** How the menu that an app shows differs from the one that was sent. */
export interface Drift {
  readonly count: number;
  /** The first of the changes. */
  readonly changes: readonly MenuChange[];
  /** Hash of all changes: the same for the same difference. */
  readonly sha256: string;
}

const LIMITS = ['min', 'max'];
const PRICES = ['price', 'promotion_price'];

/**
 * What is compared. Ignored are whether an item is on sale and which image it has; only whether it has one counts.
 */
const SHOWN_LISTS: readonly ListRule[] = [
  {
    list: 'menus',
    kind: 'menu',
    id: 'identifier',
    fields: ['name', 'description', 'hours'],
    references: { list: 'categories', kind: 'category', id: undefined, fields: [] },
  },
  {
    list: 'categories',
    kind: 'category',
    id: 'external_id',
    fields: ['name', 'description'],
    references: { list: 'items', kind: 'item', id: undefined, fields: [] },
  },
  {
    list: 'items',
    kind: 'item',
    id: 'external_id',
    fields: [
      'name',
      'description',
      'has_image',
      ...PRICES,
      'prices_by_menu',
      'hours',
      ...DETAIL_NAMES.map((name) => `details.${name}`),
    ],
    references: {
      list: 'modifier_groups',
      kind: 'modifier_group',
      id: 'external_id',
      fields: [...LIMITS, 'free_quantity'],
    },
  },
  {
    list: 'modifier_groups',
    kind: 'modifier_group',
    id: 'external_id',
    fields: ['name', ...LIMITS],
    references: {
      list: 'options',
      kind: 'option',
      id: 'external_id',
      fields: [...PRICES, ...LIMITS],
    },
  },
];

const NOTHING: Shown = { menus: [], items: [], modifier_groups: [] };

/**
 * Compares the pushed menu with the app's answer; both are JSON in UTF-8, and `null` is no menu. Undefined: the app's
 * answer is not JSON.
 */
export function driftOf(
  app: Pick<DeliveryApp, 'readShown'>,
  context: ShownContext,
  pushed: Buffer,
  read: Buffer,
  kept: number,
): Drift | undefined {
  const answer = parseJson(answerText(read));
  if (answer === undefined) return undefined;
  const sent = app.readShown(parseJson(pushed.toString('utf8')), context);
  const shown = answer === null ? NOTHING : app.readShown(answer, context);
  const changes = compareLists(
    SHOWN_LISTS,
    comparable(sent),
    comparable(withSentDetails(shown, sent)),
  );
  return {
    count: changes.length,
    changes: changes.slice(0, kept),
    sha256: createHash('sha256').update(JSON.stringify(changes)).digest('hex'),
  };
}

/** Without details that were not sent: an app may know some of its own, such as taxes. */
function withSentDetails(shown: Shown, sent: Shown): Shown {
  const sentDetails = new Map(sent.items.map(({ external_id: id, details }) => [id, details]));
  const items = shown.items.map((item) => {
    const { details, ...rest } = item;
    if (!details) return item;
    const known = sentDetails.get(item.external_id) ?? {};
    const kept = Object.entries(details).filter(([name]) => Object.hasOwn(known, name));
    return { ...rest, details: Object.fromEntries(kept) };
  });
  return { ...shown, items };
}

/**
 * Lists whose order guests do not see are sorted, because an app may answer them in any order; the same holds for
 * `compareMenus` of App A.
 */
function comparable({ menus, items, modifier_groups }: Shown) {
  const byExternalId = byText<{ readonly external_id: string }>((one) => one.external_id);
  const byIdentifier = byText<{ readonly identifier: string }>((one) => one.identifier);
  return {
    menus: menus
      .map((menu) => ({
        ...menu,
        categories: menu.categories.map(({ external_id }) => external_id),
      }))
      .toSorted(byIdentifier),
    categories: menus.flatMap(({ categories }) => categories).toSorted(byExternalId),
    items: items
      .map(({ image_url, ...item }) => ({
        ...item,
        has_image: image_url === null ? null : true,
        prices_by_menu: item.prices_by_menu.toSorted(byIdentifier),
      }))
      .toSorted(byExternalId),
    modifier_groups: modifier_groups.toSorted(byExternalId),
  };
}

/** By code unit. */
function byText<T>(textOf: (one: T) => string): (one: T, other: T) => number {
  return (one, other) => {
    const [a, b] = [textOf(one), textOf(other)];
    return a < b ? -1 : a > b ? 1 : 0;
  };
}
