import type { Category, Item, MenuDocument, ModifierGroup } from '../menus/menu';
import type { EntityRef } from './losses';

export interface Indexed<T> {
  readonly entity: T;
  readonly ref: EntityRef;
}

/** A group as an app offers it: the POS's own, or a part of one (split-groups.ts). */
export interface OfferedGroup extends ModifierGroup {
  readonly part?: {
    /** The POS id. */
    readonly of: string;
    readonly kind: 'free' | 'paid' | 'whole';
  };
}

/** The entities of a document by POS id; of repeated ids the first counts. */
export interface MenuIndex {
  readonly categories: ReadonlyMap<string, Indexed<Category>>;
  readonly items: ReadonlyMap<string, Indexed<Item>>;
  readonly groups: ReadonlyMap<string, Indexed<OfferedGroup>>;
}

export function indexMenu(document: MenuDocument): MenuIndex {
  return {
    categories: indexList('category', document.categories),
    items: indexList('item', document.items),
    groups: indexList('modifier_group', document.modifier_groups),
  };
}

function indexList<T extends { readonly external_id: string }>(
  kind: EntityRef['kind'],
  entities: readonly T[],
): ReadonlyMap<string, Indexed<T>> {
  const byId = new Map<string, Indexed<T>>();
  entities.forEach((entity, index) => {
    const externalId = entity.external_id;
    if (!byId.has(externalId)) byId.set(externalId, { entity, ref: { kind, index, externalId } });
  });
  return byId;
}

/** Whether an item offers a modifier group that exists in the document. */
export function hasGroups(
  item: Pick<Item, 'data_modifier_groups'>,
  { groups }: MenuIndex,
): boolean {
  return item.data_modifier_groups.some(({ modifier_group_external_id: id }) => groups.has(id));
}

/** Keeps the first of each id, in order, because the first of repeated references wins. */
export function firstOfEach<T>(references: readonly T[], idOf: (reference: T) => string): T[] {
  const seen = new Set<string>();
  return references.filter((reference) => {
    const id = idOf(reference);
    const isNew = !seen.has(id);
    seen.add(id);
    return isNew;
  });
}
