import { checkEntry } from './check-entry';
import { checkSameSkus } from './check-same-skus';
import { type Entry, readMenu } from './read-menu';
import type { Report, Violation } from './violation';

/** Products of a category, toppings of a group, and toppings of a product. */
const MOST = 50;

/**
 * Every rule of the app that a menu breaks. Knows nothing of our transform: it is written from the app's tables alone.
 * `decimals`: prices may have two places; else they are whole.
 */
export function validateMenu(body: unknown, decimals = false): readonly Violation[] {
  const violations: Violation[] = [];
  const report: Report = (rule, skus, message) => violations.push({ rule, skus, message });
  const menu = readMenu(body, decimals, report);
  if (!menu) return violations;
  checkList(menu.products, report);
  for (const product of menu.products) {
    checkEntry(product, report);
    if (product.children.length > MOST) {
      report('max_item_childs_complies', product.skus, `${product.children.length} children.`);
    }
    checkList(product.children, report);
    checkChildren(product, report);
  }
  checkSameSkus(menu.products, report);
  return violations;
}

/** Products of the menu or toppings of a product: a category holds 50 of them, each once. */
function checkList(entries: readonly Entry[], report: Report): void {
  const counts = new Map<string, number>();
  const seen = new Set<string>();
  for (const { category, sku, skus, type } of entries) {
    const count = (counts.get(category.id) ?? 0) + 1;
    counts.set(category.id, count);
    if (count === MOST + 1) {
      report('max_items_category_complies', skus, `Category ${category.id} has too many items.`);
    }
    // A product may stand in two categories; a topping once in its product.
    const place = JSON.stringify(type === 'PRODUCT' ? [category.id, sku] : sku);
    if (seen.has(place)) report('duplicated_items_complies', skus, `${sku} is repeated.`);
    seen.add(place);
  }
}

function checkChildren(product: Entry, report: Report): void {
  for (const topping of product.children) {
    checkEntry(topping, report);
    const { maxQty } = topping.category;
    if (topping.sku === product.sku) {
      report('item_relation_without_cyclic_complies', topping.skus, 'An item is its own child.');
    }
    if ((topping.maxLimit ?? 0) > maxQty || maxQty > (product.maxLimit ?? maxQty)) {
      report('max_permitted_in_items_complies', topping.skus, 'More than the level above permits.');
    }
  }
}
