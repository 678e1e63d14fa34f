import { digitsToInteger } from '../prices';
import type { ExceededLimit } from './exceeded-limits';
import type { TransformContext } from './transform-context';

/**
 * What the app would refuse because it is 0: the price of a product, and how much of a group or of one of its options
 * a guest may take. A topping may be free.
 */
export function zeroNumbers({
  index,
  sold,
  prices,
  groups,
}: TransformContext): readonly ExceededLimit[] {
  const free = [...index.items].flatMap(([id, { entity, ref }]) => {
    const { value } = prices?.get(id)?.price ?? entity.price;
    return sold.has(id) && isZero(value) ? [{ ref, detail: 'its price may not be 0' }] : [];
  });
  const closed = groups.groups.flatMap(({ group, quantity }) => {
    const ref = index.groups.get(group.external_id)?.ref;
    // A group without options is not sent.
    if (!ref || !group.data_options.some((option) => index.items.has(option.item_external_id))) {
      return [];
    }
    if (isZero(quantity.max_quantity)) return [{ ref, detail: 'its maximum may not be 0' }];
    const hasZero = group.data_options.some(
      (option) => option.quantity && isZero(option.quantity.max_quantity),
    );
    return hasZero ? [{ ref, detail: 'the maximum of an option may not be 0' }] : [];
  });
  return [...free, ...closed];
}

function isZero(digits: string): boolean {
  return digitsToInteger(digits) === 0;
}
