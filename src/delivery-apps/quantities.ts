import type { Quantity } from '../menus/menu';
import { digitsToInteger } from './prices';

/** Whether two quantities are equal: "01" equals "1". */
export function isSameQuantity(one: Quantity, other: Quantity): boolean {
  return (
    digitsToInteger(one.min_quantity) === digitsToInteger(other.min_quantity) &&
    digitsToInteger(one.max_quantity) === digitsToInteger(other.max_quantity)
  );
}
