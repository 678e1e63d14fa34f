import { amountOf, type Menu, type Price } from '../../menus/menu';
import { type FittingTexts, fitTexts, type Texts } from '../fit-texts';
import type { GroupPlan } from '../group-copies';
import type { EntityRef, LossBook } from '../losses';
import type { MenuIndex } from '../menu-index';
import { digitsToInteger, hasCoin, type NamedPrices } from '../prices';
import type { TransformInput } from '../types';
import type { UsedEntities } from '../unused-entities';
import { TEXT_LENGTHS } from './rules';
import { withoutEmoji } from './without-emoji';

/** Shared by all parts of one transformation. */
export interface TransformContext {
  readonly input: TransformInput;
  readonly menu: Menu;
  readonly index: MenuIndex;
  readonly used: UsedEntities;
  readonly losses: LossBook;
  /** The prices of the menu. */
  readonly prices: NamedPrices | undefined;
  /** POS ids of the items in the menu's categories. */
  readonly sold: ReadonlySet<string>;
  readonly groups: GroupPlan;
}

/** Name and description in the app's form: without emoji, and not too long. */
export function shownTexts(
  { losses }: TransformContext,
  ref: EntityRef,
  entity: Texts,
): FittingTexts {
  const sent = { name: entity.name, description: entity.description ?? '' };
  const plain = { name: withoutEmoji(sent.name), description: withoutEmoji(sent.description) };
  const changed = (['name', 'description'] as const).filter(
    (field) => plain[field] !== sent[field],
  );
  if (changed.length > 0) losses.add('emoji_removed', ref, changed.join(' and its '));
  return fitTexts(losses, ref, { ...entity, ...plain }, TEXT_LENGTHS);
}

/** A price on the wire; 0 with a blocking loss if the app has no unit for it (such a menu is never sent). */
export function wirePrice(
  { input, losses }: TransformContext,
  ref: EntityRef,
  price: Price,
): number {
  const value = amountOf(price);
  if (!hasCoin(losses, ref, value, input.store)) return 0;
  const hundredths = digitsToInteger(value);
  // Dividing whole numbers below 2^53 gives the nearest double, which JSON writes with at most two places.
  if (input.appDPriceUnit === 'decimal' || hundredths % 100 === 0) return hundredths / 100;
  losses.add('price_not_representable', ref, 'this delivery');
  return 0;
}
