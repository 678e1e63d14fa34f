import type { Menu } from '../../domain/menu';
import type { EntityRef, LossBook } from '../losses';
import type { MenuIndex } from '../menu-index';
import { type NamedPrices, toLowestDenomination } from '../prices';
import type { TransformInput } from '../types';
import type { UsedEntities } from '../unused-entities';
import { cutText } from './cut-text';
import type { OptionPlan } from './plan-options';
import { TEXT_LENGTHS } from './rules';

/** What every part of one transformation needs. */
export interface TransformContext {
  readonly input: TransformInput;
  readonly menu: Menu;
  readonly index: MenuIndex;
  readonly used: UsedEntities;
  readonly losses: LossBook;
  /** Those of the menu; undefined when there is none. */
  readonly prices: NamedPrices | undefined;
  /** POS ids of what stands in a category of the menu. */
  readonly sold: ReadonlySet<string>;
  readonly options: OptionPlan;
}

/** The text as long as the app takes it. We cut and tell, because the app cuts in silence or refuses the menu. */
export function fittingText(
  { losses }: TransformContext,
  ref: EntityRef,
  text: string,
  kind: keyof typeof TEXT_LENGTHS,
): string {
  const length = TEXT_LENGTHS[kind];
  const fitting = cutText(text, length);
  if (fitting !== text) {
    const what = kind === 'itemDescription' ? 'description' : 'name';
    losses.add('text_cut', ref, `${what} is cut at ${length} characters`);
  }
  return fitting;
}

/** A price on the wire; 0 with a blocking loss when the currency has no coin for it, as that menu is never sent. */
export function wirePrice(
  { input, losses }: TransformContext,
  ref: EntityRef,
  value: string,
): number {
  const price = toLowestDenomination(value, input.store.currencyExponent);
  if (price === null) losses.add('price_not_representable', ref);
  return price ?? 0;
}
