import type { EntityRef } from '../losses';
import { firstOfEach, type Indexed } from '../menu-index';
import { lengthOf } from '../text-length';
import { LIMITS } from './rules';
import type { TransformContext } from './transform-context';
import { withoutEmoji } from './without-emoji';

/** One entity that is over the app's limits, and by how much. */
export interface ExceededLimit {
  readonly ref: EntityRef;
  /** Such as `51 items (at most 50)`. */
  readonly detail: string;
}

/** What the app would refuse for its size or its ids. Asked before anything is multiplied: each topping stands in each product. */
export function exceededLimits(context: TransformContext): readonly ExceededLimit[] {
  const { menu, index, used, sold } = context;
  const toppings = toppingCounts(context);
  const menuRef = { kind: 'menu', index: 0, externalId: menu.identifier } as const;
  return [
    ...(sold.size === 0 ? [{ ref: menuRef, detail: '0 items (at least 1)' }] : []),
    ...entitiesOf(index.categories, used.categories).flatMap(({ entity, ref }) =>
      overLimit(ref, different(entity.data_items), LIMITS.itemsPerCategory, 'items'),
    ),
    ...entitiesOf(index.groups, used.groups).flatMap(({ entity, ref }) =>
      overLimit(ref, different(entity.data_options), LIMITS.itemsPerCategory, 'options'),
    ),
    ...entitiesOf(index.items, sold).flatMap(({ ref }) =>
      overLimit(ref, toppings(ref.externalId), LIMITS.children, 'options'),
    ),
    ...[
      ...entitiesOf(index.categories, used.categories),
      ...entitiesOf(index.items, used.items),
      ...entitiesOf(index.groups, used.groups),
    ].flatMap(({ ref }) => wrongId(ref)),
  ];
}

function wrongId(ref: EntityRef): readonly ExceededLimit[] {
  const { externalId } = ref;
  // Removing it, as from a name, would make another id of it.
  if (withoutEmoji(externalId) !== externalId) return [{ ref, detail: 'an emoji in the id' }];
  return overLimit(ref, lengthOf(externalId), LIMITS.idLength, 'characters in the id');
}

/** How many toppings each sold item has, its groups together. */
function toppingCounts({ groups, index }: TransformContext): (itemId: string) => number {
  const ofGroup = new Map(
    [...index.groups].map(([id, { entity }]) => [id, different(entity.data_options)]),
  );
  const original = new Map(groups.groups.map(({ id, group }) => [id, group.external_id]));
  return (itemId) =>
    (groups.idsOfItem.get(itemId) ?? []).reduce(
      (sum, groupId) => sum + (ofGroup.get(original.get(groupId) ?? groupId) ?? 0),
      0,
    );
}

function different(references: readonly { readonly item_external_id: string }[]): number {
  return firstOfEach(references, (reference) => reference.item_external_id).length;
}

/** In document order. */
function entitiesOf<T>(
  entities: ReadonlyMap<string, Indexed<T>>,
  ids: ReadonlySet<string>,
): readonly Indexed<T>[] {
  return [...entities].filter(([id]) => ids.has(id)).map(([, entity]) => entity);
}

function overLimit(
  ref: EntityRef,
  count: number,
  limit: number,
  what: string,
): readonly ExceededLimit[] {
  return count > limit ? [{ ref, detail: `${count} ${what} (at most ${limit})` }] : [];
}
