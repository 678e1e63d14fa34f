import type { GroupQuantity, Quantity } from '../menus/menu';
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

/** How many units of a group cost nothing. */
export function freeUnitsOf({ free_quantity: free }: GroupQuantity): number {
  return free ? digitsToInteger(free) : 0;
}

/** Whether two quantities of a group are equal, free units included. */
export function isSameGroupQuantity(one: GroupQuantity, other: GroupQuantity): boolean {
  return isSameQuantity(one, other) && freeUnitsOf(one) === freeUnitsOf(other);
}
