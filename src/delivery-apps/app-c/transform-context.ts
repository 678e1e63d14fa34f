import type { Item, Menu } from '../../menus/menu';
import type { EntityRef, LossBook } from '../losses';
import type { Indexed, MenuIndex } from '../menu-index';
import { type NamedPrices, toLowestDenomination } from '../prices';
import type { TransformInput } from '../types';
import type { UsedEntities } from '../unused-entities';
import type { OptionPlan } from './plan-options';
import { TEXT_LENGTHS } from './rules';

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

/** The name, cut to the app's limit. We cut and report it, because the app cuts silently or refuses the menu. */
export function fittingName(
  { losses }: TransformContext,
  ref: EntityRef,
  name: string,
  kind: keyof typeof TEXT_LENGTHS,
): string {
  const length = TEXT_LENGTHS[kind];
  const fitting = cutText(name, length);
  if (fitting !== name) losses.add('text_cut', ref, `name is cut at ${length} characters`);
  return fitting;
}

/** Name and description of an item. One loss covers both, because there is one per entity and code. */
export function fittingTexts(
  { losses }: TransformContext,
  { entity, ref }: Indexed<Item>,
): { readonly name: string; readonly description: string } {
  const sent = { name: entity.name, description: entity.description ?? '' };
  const lengths = { name: TEXT_LENGTHS.itemName, description: TEXT_LENGTHS.itemDescription };
  const fitting = {
    name: cutText(sent.name, lengths.name),
    description: cutText(sent.description, lengths.description),
  };
  const cut = (['name', 'description'] as const)
    .filter((field) => fitting[field] !== sent[field])
    .map((field) => `${field} is cut at ${lengths[field]} characters`);
  if (cut.length > 0) losses.add('text_cut', ref, cut.join(', its '));
  return fitting;
}

/** A price on the wire; 0 with a blocking loss if the currency has no coin for it (such a menu is never sent). */
export function wirePrice(
  { input, losses }: TransformContext,
  ref: EntityRef,
  value: string,
): number {
  const price = toLowestDenomination(value, input.store.currencyExponent);
  if (price === null) losses.add('price_not_representable', ref);
  return price ?? 0;
}

/** The first `length` code points; never half of a surrogate pair, which the app would show as a broken letter. */
export function cutText(text: string, length: number): string {
  // There are never fewer UTF-16 units than code points, so most texts need no closer look.
  return text.length <= length ? text : Array.from(text).slice(0, length).join('');
}
