import { LIMITS } from './rules';
import type { WireCategory } from './wire';

/** Guests never see this name, because nothing in the category is sold separately. */
const NAME = 'Options';
const ID = 'options';

/**
 * App C requires every item to be in a category. Items that are only options go into an extra last category, or into
 * several, because a category takes 300 items. `taken` are the ids of the menu's own categories.
 */
export function optionCategories(
  itemIds: readonly string[],
  taken: ReadonlySet<string>,
): readonly WireCategory[] {
  const categories: WireCategory[] = [];
  let number = 1;
  for (let start = 0; start < itemIds.length; start += LIMITS.itemsPerCategory) {
    while (taken.has(idOf(number))) number += 1;
    categories.push({
      app_category_id: idOf(number),
      category_name: NAME,
      app_item_ids: itemIds.slice(start, start + LIMITS.itemsPerCategory),
    });
    number += 1;
  }
  return categories;
}

function idOf(number: number): string {
  return number === 1 ? ID : `${ID}~${number}`;
}
