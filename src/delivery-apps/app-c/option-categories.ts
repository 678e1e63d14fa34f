import { LIMITS } from './rules';
import type { WireCategory } from './wire';

/** Guests never see this name, because nothing in the category is sold separately. */
const NAME = 'Options';
const ID = 'options';

/**
 * App C requires every item to be in a category. Items that are only options go into extra last categories, each with
 * as many as the app takes, while there are fewer categories than it takes. The others stand at the end of the menu's
 * own, of which the last with room is filled first: a menu is never refused because of a category of ours. If there is
 * no room at all, the menu has more items than the app takes; they stand in the last category.
 */
export function placeOptions(
  categories: readonly WireCategory[],
  optionIds: readonly string[],
): readonly WireCategory[] {
  const own = new Set(categories.map((category) => category.app_category_id));
  const added: WireCategory[] = [];
  let left = optionIds;
  for (let number = 1; left.length > 0; number += 1) {
    if (categories.length + added.length >= LIMITS.categories) break;
    if (own.has(idOf(number))) continue;
    const ids = left.slice(0, LIMITS.itemsPerCategory);
    added.push({ app_category_id: idOf(number), category_name: NAME, app_item_ids: ids });
    left = left.slice(LIMITS.itemsPerCategory);
  }
  return [...fillUp(categories, left), ...added];
}

/** The categories with these items at their ends. */
function fillUp(
  categories: readonly WireCategory[],
  optionIds: readonly string[],
): readonly WireCategory[] {
  let left = optionIds;
  const filled = categories.toReversed().map((category) => {
    const room = Math.max(0, LIMITS.itemsPerCategory - category.app_item_ids.length);
    const ids = left.slice(0, room);
    left = left.slice(room);
    return withItems(category, ids);
  });
  const [last, ...before] = filled;
  return last ? [...before.toReversed(), withItems(last, left)] : [];
}

function withItems(category: WireCategory, ids: readonly string[]): WireCategory {
  if (ids.length === 0) return category;
  return { ...category, app_item_ids: [...category.app_item_ids, ...ids] };
}

function idOf(number: number): string {
  return number === 1 ? ID : `${ID}~${number}`;
}

/** Whether a category is one of ours, which guests do not see. Its items are all options. */
export function isOptionCategory(id: string, name: string): boolean {
  return name === NAME && /^options(?:~\d+)?$/.test(id);
}
