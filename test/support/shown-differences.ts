import type { Shown, ShownGroup, ShownItem, ShownMenu } from '../../src/delivery-apps/shown';
import type {
  DataOption,
  GroupQuantity,
  Item,
  MenuDocument,
  ModifierGroup,
} from '../../src/menus/menu';
import { compareDetails } from './detail-differences';
import { type DifferenceOptions, loss, type Work } from './difference-work';
import { compareHours, comparePrice, comparePrices } from './price-and-hour-differences';
import { compareLeftOut, leftOut } from './left-out';
import { hoursOf, sameHours } from './shown-hours';
import { type GroupPart, partsOfGroup } from './group-parts';
import { readSentMenu, sentLimits } from './sent-menu';
import { compareTexts, urlOf } from './text-differences';

/** One difference between what was sent and what an app shows, and the losses of which one must name it. */
export interface ShownDifference {
  readonly what: string;
  /** Losses as `code pointer`; without any the difference is a mistake of the adapter. */
  readonly losses: readonly string[];
}

/**
 * Compares a menu with what an app shows of it, read back from its payload, by docs/api.md, "Preview a menu": effective
 * hours, the price at each place, copies with their own ids. It uses nothing of the adapters, so that its findings can
 * be compared with their losses.
 */
export function shownDifferences(
  menu: MenuDocument,
  shown: Shown,
  options: DifferenceOptions,
): readonly ShownDifference[] {
  const sent = readSentMenu(menu);
  const found: ShownDifference[] = [];
  const work: Work = {
    sent,
    shown,
    options,
    items: new Map(shown.items.map((item) => [item.external_id, item])),
    groups: new Map(shown.modifier_groups.map((group) => [group.external_id, group])),
    met: new Set(),
    withoutGroups: new Set(),
    copied: new Set(),
    parted: new Set(),
    differ(what, ...losses) {
      found.push({ what, losses });
    },
  };
  compareMenus(work);
  for (const item of shown.items) {
    const of = sent.items.get(item.external_id);
    if (of) compareItem(work, of, item);
  }
  for (const group of shown.modifier_groups) {
    const of = sent.groups.get(group.external_id);
    if (of) compareOwnGroup(work, of, group);
  }
  compareLeftOut(work);
  // A missing entity is reported without its parts.
  const isThere = (pointer: string) =>
    !found.some(({ what }) => what === leftOut(pointer)) || work.copied.has(pointer);
  return [...found, ...sent.dropped.filter(({ pointer }) => isThere(pointer))];
}

function compareMenus(work: Work): void {
  const { sent, shown, differ } = work;
  if (shown.menus.length !== sent.menus.length) differ('the number of menus');
  sent.menus.forEach(({ menu, pointer, categories }, at) => {
    const one = shown.menus[at];
    if (!one) return;
    if (one.identifier !== menu.identifier) differ('the identifier of a menu');
    compareTexts(work, menu, one, pointer);
    compareMenuHours(work, at, one);
    const wanted = categories.map(({ category }) => category.external_id);
    const shownIds = one.categories.map(({ external_id: id }) => id);
    compareLists(work, wanted, shownIds, `categories of ${menu.identifier}`, (id) => [
      loss('entity_unused', sent.pointerOf('categories', id)),
    ]);
    for (const { category, pointer: place, items } of categories) {
      const shownCategory = one.categories.find(
        ({ external_id: id }) => id === category.external_id,
      );
      if (!shownCategory) continue;
      compareTexts(work, category, shownCategory, place);
      compareLists(work, items, shownCategory.items, `items of ${category.external_id}`, (id) => [
        loss('item_category_dropped', sent.pointerOf('items', id)),
      ]);
    }
  });
}

function compareMenuHours({ sent, options, differ }: Work, at: number, shown: ShownMenu): void {
  const menu = sent.menus[at];
  if (!menu || options.hoursOnItems) return;
  if (sameHours(hoursOf(menu.menu.schedules), shown.hours, options.bothEndsCount)) return;
  differ(
    `the hours of ${shown.identifier}`,
    loss('days_merged', menu.pointer),
    loss('menu_schedule_ignored', menu.pointer),
  );
}

/** The remaining entries are in the order in which they were sent, and nothing is added. */
function compareLists(
  { differ }: Pick<Work, 'differ'>,
  sent: readonly string[],
  shown: readonly string[],
  what: string,
  lossesOf: (id: string) => readonly string[],
): void {
  const there = new Set(shown);
  for (const id of sent) if (!there.has(id)) differ(`${what}: ${id}`, ...lossesOf(id));
  const left = sent.filter((id) => there.has(id));
  if (left.join('\n') !== shown.join('\n')) differ(`the order of the ${what}`);
}

function compareItem(work: Work, sent: Item, shown: ShownItem): void {
  const pointer = work.sent.pointerOf('items', sent.external_id);
  compareLook(work, sent, shown);
  compareGroupsOf(work, sent, shown);
  comparePrices(work, sent, shown);
  compareHours(work, sent, shown, pointer);
}

/** The properties of an item wherever it is, copies included. */
function compareLook(work: Work, sent: Item, shown: ShownItem): void {
  const pointer = work.sent.pointerOf('items', sent.external_id);
  compareTexts(work, sent, shown, pointer);
  if (urlOf(sent.image_url) !== shown.image_url) {
    work.differ(`the image of ${pointer}`, loss('image_out_of_rules', pointer));
  }
  if (work.options.availableLate && sent.available === false && shown.available) {
    work.differ(`${pointer} is on sale`, loss('available_late', pointer));
  }
  compareDetails(work, sent, shown, pointer);
}

/** The groups of an item in their order, each by itself or by a copy, with the limits that hold there. */
function compareGroupsOf(work: Work, sent: Item, shown: ShownItem): void {
  const { differ } = work;
  const pointer = work.sent.pointerOf('items', sent.external_id);
  const references = work.sent.groupsOf(sent);
  if (references.length > 0 && shown.modifier_groups.length === 0) {
    work.withoutGroups.add(sent);
    for (const { group, quantity } of references) {
      if (sentLimits(quantity).min === 0) continue;
      const place = work.sent.pointerOf('modifier_groups', group.external_id);
      differ(`the choice of ${place} at ${pointer}`, loss('required_choice_dropped', place));
    }
    return differ(`the groups of ${pointer}`, loss('nested_groups_dropped', pointer));
  }
  const wanted = references.flatMap(({ group, quantity }) => {
    const parts = partsOfGroup(work, group, quantity);
    return parts.map((part) => ({ group, quantity, part, isSplit: parts.length > 1 }));
  });
  if (wanted.length !== shown.modifier_groups.length) differ(`the groups of ${pointer}`);
  wanted.forEach(({ group, quantity, part, isSplit }, at) => {
    const one = shown.modifier_groups[at];
    if (!one) return;
    if (part.min !== one.min || part.max !== one.max) {
      differ(`the limits of ${group.external_id} on ${pointer}`);
    }
    if (part.free !== (one.free_quantity ?? 0)) {
      differ(`the free units of ${group.external_id} on ${pointer}`);
    }
    const place = work.sent.pointerOf('modifier_groups', group.external_id);
    const options = work.groups.get(one.external_id)?.options ?? [];
    if (one.min > options.reduce((most, { max }) => most + (max ?? one.max), 0)) {
      differ(`no answer is enough for ${place} at ${pointer}`, loss('choice_impossible', place));
    }
    if (isSplit) differ(`the parts of ${place}`, loss('free_quantity_split', place));
    if (one.external_id === group.external_id) return;
    const isOwn = sameQuantities(quantity, group.quantity);
    if (part.kind === 'whole' || !(isOwn || work.options.freeUnits)) {
      differ(`the group ${one.external_id}`, loss('group_quantity_cloned', place));
    } else work.parted.add(place);
    const copy = work.groups.get(one.external_id);
    if (!copy) return differ(`the group ${one.external_id} is not there`);
    work.met.add(`group ${one.external_id}`);
    work.copied.add(place);
    compareGroup(work, group, copy, part.kind);
  });
}

function sameQuantities(one: GroupQuantity, other: GroupQuantity): boolean {
  const [said, known] = [one, other].map((quantity) =>
    JSON.stringify([sentLimits(quantity), Number(quantity.free_quantity ?? 0)]),
  );
  return said === known;
}

/** The group that is shown by the id that was sent. */
function compareOwnGroup(work: Work, sent: ModifierGroup, shown: ShownGroup): void {
  const parts = partsOfGroup(work, sent, sent.quantity);
  const kind = parts[0]?.kind === 'whole' ? 'whole' : 'paid';
  const own = parts.find((part) => part.kind === kind);
  // A group without a part of its own by that id has it for the items with other limits.
  const isSame = !own || (own.min === shown.min && own.max === shown.max);
  const pointer = work.sent.pointerOf('modifier_groups', sent.external_id);
  if (!work.options.limitsOnItems && !isSame) work.differ(`the limits of ${pointer}`);
  compareGroup(work, sent, shown, kind);
}

function compareGroup(
  work: Work,
  sent: ModifierGroup,
  shown: ShownGroup,
  kind: GroupPart['kind'],
): void {
  const pointer = work.sent.pointerOf('modifier_groups', sent.external_id);
  const name = kind === 'paid' ? shown.name.replace(/ \+$/, '') : shown.name;
  if (kind === 'paid' && name === shown.name) work.differ(`the ending of the name of ${pointer}`);
  compareTexts(work, { name: sent.name }, { name }, pointer);
  const wanted = work.sent.optionsOf(sent);
  if (wanted.length !== shown.options.length) work.differ(`the options of ${pointer}`);
  wanted.forEach((option, at) => {
    const one = shown.options[at];
    if (one) compareOption(work, { option, pointer, kind }, one, shown.max);
  });
}

function compareOption(
  work: Work,
  { option, pointer, kind }: { option: DataOption; pointer: string; kind: GroupPart['kind'] },
  shown: ShownGroup['options'][number],
  groupMax: number,
): void {
  const item = work.sent.items.get(option.item_external_id);
  if (!item) return;
  const itemPointer = work.sent.pointerOf('items', item.external_id);
  const price = { price: shown.price, promotion: shown.promotion_price };
  const sentPrice = kind === 'free' ? { free: true } : (option.price ?? item.price);
  comparePrice(work, sentPrice, price, option.price ? pointer : itemPointer);
  if (kind !== 'whole' && option.quantity && sentLimits(option.quantity).min > 0) {
    const what = `what must be taken of an option of ${pointer}`;
    work.differ(what, loss('option_quantity_ignored', pointer));
  }
  if (!sameLimits(work, option, shown, groupMax, kind)) {
    work.differ(`the limits of an option of ${pointer}`, loss('option_quantity_ignored', pointer));
  }
  if (shown.external_id === item.external_id) return;
  work.differ(`the option ${shown.external_id}`, loss('option_cloned', itemPointer));
  const copy = work.items.get(shown.external_id);
  if (!copy) return work.differ(`the option ${shown.external_id} is not there`);
  work.met.add(`item ${shown.external_id}`);
  compareLook(work, item, copy);
  compareGroupsOf(work, item, copy);
  if (work.items.has(item.external_id)) return;
  // Nothing is shown by the id that was sent.
  work.copied.add(itemPointer);
  comparePrices(work, item, copy);
  compareHours(work, item, copy, itemPointer);
}

function sameLimits(
  { options }: Work,
  { quantity }: DataOption,
  shown: ShownGroup['options'][number],
  groupMax: number,
  kind: GroupPart['kind'],
): boolean {
  const { min: least, max } = quantity ? sentLimits(quantity) : { min: null, max: null };
  const min = kind === 'whole' ? least : least && 0;
  if (!options.alwaysLimited) return min === shown.min && max === shown.max;
  const most = Math.min(max ?? groupMax, groupMax);
  return (min ?? 0) === (shown.min ?? 0) && most === (shown.max ?? groupMax);
}
