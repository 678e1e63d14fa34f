import { type AppAnswer, jsonAnswer } from '../app-simulator';
import type { Violation } from './violation';

/**
 * The app's answer to a menu that breaks rules. It has three forms of bodies without saying when it uses which:
 * `count` picks one. Repeated items are an error of a system behind it, 424.
 */
export function refuseMenu(violations: readonly Violation[], count: number): AppAnswer {
  const [first] = violations;
  if (!first) throw new Error('A menu is refused for a rule.');
  if (first.rule === 'duplicated_items_complies') {
    const error = { code: first.rule, message: first.message };
    return jsonAnswer(424, { message: 'Failed dependency', detail: { error } });
  }
  if (count % 3 === 0) {
    return jsonAnswer(400, { type: first.rule, message: `${first.message} (${place(first)})` });
  }
  if (count % 3 === 1 && first.rule !== 'fields') {
    const path = first.skus.map((sku, depth) => ({
      id: depth,
      item_type: depth === 0 ? 'PRODUCT' : 'TOPPING',
      sku,
    }));
    return jsonAnswer(400, { [first.rule]: false, path, path_item_details: [first.message] });
  }
  const errors = violations.map(({ rule, message, skus }) => ({
    reason: `${rule}: ${message}`,
    relatedItems: skus.map((sku) => ({ sku })),
  }));
  return jsonAnswer(400, { message: 'The menu is not valid.', errors });
}

function place({ skus }: Violation): string {
  return skus.length > 0 ? skus.join(' > ') : 'menu';
}
