import type { Category, Item } from '../../menus/menu';
import { fitImage } from '../images/image-url';
import { firstOfEach, type Indexed } from '../menu-index';
import type { OptionPlan } from './plan-skus';
import { toToppings } from './to-toppings';
import { shownTexts, type TransformContext, wirePrice } from './transform-context';
import type { WireCategory, WireProduct, WireTexts } from './wire';

/** An item on the wire, without its category and position. */
type Product = Omit<WireProduct, 'sortingPosition' | 'category'>;

/** Every entry of the menu, by category: an item in two categories becomes two equal entries. */
export function toProducts(context: TransformContext, options: OptionPlan): readonly WireProduct[] {
  const { index, used } = context;
  const textsOf = once((item: Indexed<Item>) => toTexts(context, item));
  const toppingsOf = toToppings(context, options, textsOf);
  const productOf = once((item: Indexed<Item>): Product => {
    const { entity, ref } = item;
    const named = context.prices?.get(entity.external_id) ?? { price: entity.price, ref };
    return {
      ...textsOf(item),
      sku: entity.external_id,
      type: 'PRODUCT',
      ...(entity.details?.bundled_items && { combo: true }),
      price: wirePrice(context, named.ref, named.price),
      children: toppingsOf(entity.external_id),
    };
  });
  let position = 0;
  return [...used.categories].flatMap((id) => {
    const category = index.categories.get(id);
    const items = category ? itemsOf(context, category.entity) : [];
    if (!category || items.length === 0) return [];
    const shown = toCategory(context, category, position);
    position += 1;
    return items.map((item, sortingPosition) => ({
      ...productOf(item),
      sortingPosition,
      category: shown,
    }));
  });
}

function itemsOf({ index }: TransformContext, category: Category): readonly Indexed<Item>[] {
  return firstOfEach(category.data_items, (reference) => reference.item_external_id).flatMap(
    (reference) => index.items.get(reference.item_external_id) ?? [],
  );
}

function toCategory(
  context: TransformContext,
  { entity, ref }: Indexed<Category>,
  sortingPosition: number,
): WireCategory {
  // The description is not sent, so its emoji are not a loss.
  const { name } = shownTexts(context, ref, { name: entity.name });
  return { id: entity.external_id, name, minQty: 0, maxQty: 0, sortingPosition };
}

function toTexts(context: TransformContext, { entity, ref }: Indexed<Item>): WireTexts {
  const texts = shownTexts(context, ref, entity);
  const imageUrl = fitImage(context.losses, ref, entity.image_url, context.input.badImages);
  return imageUrl === undefined ? texts : { ...texts, imageUrl };
}

/** Caches a function's result per item. */
function once<T>(make: (item: Indexed<Item>) => T): (item: Indexed<Item>) => T {
  const made = new Map<Indexed<Item>, T>();
  return (item) => {
    const known = made.get(item);
    if (known !== undefined) return known;
    const value = make(item);
    made.set(item, value);
    return value;
  };
}
