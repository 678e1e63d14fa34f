import type { EntityRef } from '../losses';
import { firstOfEach, type Indexed } from '../menu-index';
import { MAX_PAYLOAD_BYTES } from '../prepare-menu';
import { lengthOf } from '../text-length';
import { LIMITS } from './rules';
import type { TransformContext } from './transform-context';
import { withoutEmoji } from './without-emoji';
import { zeroNumbers } from './zero-numbers';

/** The size of the shortest possible topping, with a name, a POS id and a group of one character each. */
const LEAST_TOPPING_BYTES = 150;

/** One entity that is over the app's limits, and by how much. */
export interface ExceededLimit {
  readonly ref: EntityRef;
  /** Such as `51 items (at most 50)`. */
  readonly detail: string;
}

/**
 * What the app would refuse because of its size, its ids or a number that is 0. Checked before anything is multiplied, because each
 * topping is repeated in each product.
 */
export function exceededLimits(context: TransformContext): readonly ExceededLimit[] {
  const { menu, index, used, sold } = context;
  const toppings = toppingCounts(context);
  const menuRef = { kind: 'menu', index: 0, externalId: menu.identifier } as const;
  return [
    ...(sold.size === 0 ? [{ ref: menuRef, detail: '0 items (at least 1)' }] : []),
    ...tooManyToppings(menuRef, context, toppings),
    ...entitiesOf(index.categories, used.categories).flatMap(({ entity, ref }) =>
      overLimit(ref, different(entity.data_items), LIMITS.itemsPerCategory, 'items'),
    ),
    ...entitiesOf(index.groups, used.groups).flatMap(({ entity, ref }) =>
      overLimit(ref, different(entity.data_options), LIMITS.itemsPerCategory, 'options'),
    ),
    ...entitiesOf(index.items, sold).flatMap(({ ref }) =>
      overLimit(ref, toppings.get(ref.externalId) ?? 0, LIMITS.children, 'options'),
    ),
    ...[
      ...entitiesOf(index.categories, used.categories),
      ...entitiesOf(index.items, used.items),
      ...entitiesOf(index.groups, used.groups),
    ].flatMap(({ ref }) => wrongId(ref)),
    ...zeroNumbers(context),
  ];
}

function wrongId(ref: EntityRef): readonly ExceededLimit[] {
  const { externalId } = ref;
  // Removing it, as from a name, would produce another id.
  if (withoutEmoji(externalId) !== externalId) return [{ ref, detail: 'an emoji in the id' }];
  return overLimit(ref, lengthOf(externalId), LIMITS.idLength, 'characters in the id');
}

/** The number of toppings of each sold item, over all its groups, by POS id. */
function toppingCounts({ groups, index }: TransformContext): ReadonlyMap<string, number> {
  const ofGroup = new Map(
    [...index.groups].map(([id, { entity }]) => [id, different(entity.data_options)]),
  );
  const original = new Map(groups.groups.map(({ id, group }) => [id, group.external_id]));
  return new Map(
    [...groups.idsOfItem].map(([itemId, ids]) => [
      itemId,
      ids.reduce((sum, id) => sum + (ofGroup.get(original.get(id) ?? id) ?? 0), 0),
    ]),
  );
}

/** Toppings are multiplied by products: 9 MB of menu became 2 million of them and crashed the thread. */
function tooManyToppings(
  ref: EntityRef,
  { index, used }: TransformContext,
  toppings: ReadonlyMap<string, number>,
): readonly ExceededLimit[] {
  let bytes = 0;
  for (const { entity } of entitiesOf(index.categories, used.categories)) {
    for (const { item_external_id: id } of firstOfEach(entity.data_items, itemIdOf)) {
      bytes += (toppings.get(id) ?? 0) * LEAST_TOPPING_BYTES;
    }
  }
  if (bytes <= MAX_PAYLOAD_BYTES) return [];
  return [{ ref, detail: 'its payload may not be larger than 16 MB' }];
}

function different(references: readonly ItemReference[]): number {
  return firstOfEach(references, itemIdOf).length;
}

interface ItemReference {
  readonly item_external_id: string;
}

function itemIdOf(reference: ItemReference): string {
  return reference.item_external_id;
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
