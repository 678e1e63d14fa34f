import type { Quantity } from '../menus/menu';
import { digitsToInteger } from './prices';

/** How many may be chosen, both bounds included. */
export interface Limits {
  readonly min: number;
  readonly max: number;
}

/** The numbers of a quantity; `exactly` stands for both. */
export function limitsOf({ exactly, min_quantity: min, max_quantity: max }: Quantity): Limits {
  return {
    min: digitsToInteger(exactly || (min ?? '')),
    max: digitsToInteger(exactly || (max ?? '')),
  };
}

/** Whether two quantities are equal: "01" equals "1", and `exactly` two bounds that are equal. */
export function isSameQuantity(one: Quantity, other: Quantity): boolean {
  const [a, b] = [limitsOf(one), limitsOf(other)];
  return a.min === b.min && a.max === b.max;
}
