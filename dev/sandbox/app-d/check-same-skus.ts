import type { Entry } from './read-menu';
import type { Report } from './violation';

/** Repeated entries must look the same: items by SKU, categories by id, separately for products and toppings. */
export function checkSameSkus(products: readonly Entry[], report: Report): void {
  const looks = new Map<string, string>();
  const types = new Map<string, string>();
  const categories = new Map<string, string>();
  for (const entry of products.flatMap((product) => [product, ...product.children])) {
    const { sku, skus, type } = entry;
    if (isOther(types, sku, type)) {
      report('item_relation_complies', skus, `${sku} is a product and a topping.`);
    } else if (isOther(looks, sku, lookOf(entry))) {
      report('item_data_conflict', skus, `${sku} does not look the same everywhere.`);
    }
    const { id, name, minQty, maxQty } = entry.category;
    if (isOther(categories, JSON.stringify([type, id]), JSON.stringify([name, minQty, maxQty]))) {
      report('duplicated_categories_complies', skus, `Category ${id} is another one elsewhere.`);
    }
  }
}

function lookOf({ name, description, price, maxLimit, imageUrl, children }: Entry): string {
  const below = children.map((child) => [child.sku, child.category.id]);
  return JSON.stringify([name, description, price, maxLimit, imageUrl, below]);
}

/** Whether something else is known by the key; else it is remembered. */
function isOther(known: Map<string, string>, key: string, value: string): boolean {
  const before = known.get(key);
  if (before === undefined) known.set(key, value);
  return before !== undefined && before !== value;
}
