import { amountOf, type Menu, type Price } from '../../menus/menu';
import type { EntityRef, LossBook } from '../losses';
import type { MenuIndex } from '../menu-index';
import { hasCoin, type NamedPrices, toLowestDenomination } from '../prices';
import type { TransformInput } from '../types';
import type { UsedEntities } from '../unused-entities';
import type { OptionPlan } from './plan-options';

/** Shared by all parts of one transformation. */
export interface TransformContext {
  readonly input: TransformInput;
  readonly menu: Menu;
  readonly index: MenuIndex;
  readonly used: UsedEntities;
  readonly losses: LossBook;
  /** The prices of the menu; undefined if there is none. */
  readonly prices: NamedPrices | undefined;
  /** POS ids of the items in the menu's categories. */
  readonly sold: ReadonlySet<string>;
  readonly options: OptionPlan;
}

/** A price on the wire; 0 with a blocking loss if the currency has no coin for it (such a menu is never sent). */
export function wirePrice(
  { input, losses }: TransformContext,
  ref: EntityRef,
  price: Price,
): number {
  const value = amountOf(price);
  if (!hasCoin(losses, ref, value, input.store)) return 0;
  return toLowestDenomination(value, input.store.currencyExponent) ?? 0;
}
