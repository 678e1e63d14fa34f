import { isObject, type Check } from './check-shape';

/** Elements of a list field, whatever its shape: wrong shapes are reported elsewhere. */
function listOf(holder: unknown, key: string): readonly unknown[] {
  const list = isObject(holder) ? holder[key] : undefined;
  return Array.isArray(list) ? list : [];
}

function fieldOf(holder: unknown, key: string): unknown {
  return isObject(holder) ? holder[key] : undefined;
}

function idsOf(document: unknown, key: string): ReadonlySet<unknown> {
  return new Set(listOf(document, key).map((entity) => fieldOf(entity, 'id')));
}

interface Reference {
  readonly path: string;
  readonly to: 'categories' | 'items' | 'option_groups';
  readonly id: unknown;
}

function referencesOf(document: unknown): readonly Reference[] {
  const fromMenu = listOf(fieldOf(document, 'menu'), 'category_ids').map((id, at): Reference => ({
    path: `/menu/category_ids/${at}`,
    to: 'categories',
    id,
  }));
  const fromCategories = listOf(document, 'categories').flatMap((category, index) =>
    listOf(category, 'item_ids').map((id, at): Reference => ({
      path: `/categories/${index}/item_ids/${at}`,
      to: 'items',
      id,
    })),
  );
  const fromItems = listOf(document, 'items').flatMap((item, index) =>
    listOf(item, 'option_groups').map((group, at): Reference => {
      const path = `/items/${index}/option_groups/${at}/id`;
      return { path, to: 'option_groups', id: fieldOf(group, 'id') };
    }),
  );
  const fromGroups = listOf(document, 'option_groups').flatMap((group, index) =>
    listOf(group, 'options').map((option, at): Reference => {
      const path = `/option_groups/${index}/options/${at}/item_id`;
      return { path, to: 'items', id: fieldOf(option, 'item_id') };
    }),
  );
  return [...fromMenu, ...fromCategories, ...fromItems, ...fromGroups];
}

/** Every referenced entity exists, and every item is in a category or is an option of a group. */
export const references: Check = (document, _path, report) => {
  const known = {
    categories: idsOf(document, 'categories'),
    items: idsOf(document, 'items'),
    option_groups: idsOf(document, 'option_groups'),
  };
  const found = referencesOf(document);
  for (const { path, to, id } of found) {
    if (typeof id === 'string' && !known[to].has(id)) {
      report('unknown_reference', path, `names ${id}, which is not in ${to}`);
    }
  }
  const placed = new Set(found.filter(({ to }) => to === 'items').map(({ id }) => id));
  for (const [index, item] of listOf(document, 'items').entries()) {
    const itemId = fieldOf(item, 'id');
    if (typeof itemId !== 'string' || placed.has(itemId)) continue;
    report('orphan_item', `/items/${index}`, `${itemId} is in no category and no group`);
  }
};
