import { limitsOf } from '../quantities';
import type { ExceededLimit } from './exceeded-limits';
import type { TransformContext } from './transform-context';

/**
 * What the app would refuse because it is 0: how much of a group or of one of its options a guest may take. Prices of 0
 * are free-items.ts's.
 */
export function zeroNumbers({ index, groups }: TransformContext): readonly ExceededLimit[] {
  return groups.groups.flatMap(({ group, quantity }) => {
    const ref = index.groups.get(group.external_id)?.ref;
    // A group without options is not sent.
    if (!ref || !group.data_options.some((option) => index.items.has(option.item_external_id))) {
      return [];
    }
    if (limitsOf(quantity).max === 0) return [{ ref, detail: 'its maximum may not be 0' }];
    const hasZero = group.data_options.some(
      (option) => option.quantity && limitsOf(option.quantity).max === 0,
    );
    return hasZero ? [{ ref, detail: 'the maximum of an option may not be 0' }] : [];
  });
}
