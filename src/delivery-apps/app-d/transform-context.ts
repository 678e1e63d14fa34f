import type { Menu } from '../../menus/menu';
import type { GroupPlan } from '../group-copies';
import type { EntityRef, LossBook } from '../losses';
import type { MenuIndex } from '../menu-index';
import { digitsToInteger, type NamedPrices } from '../prices';
import { lengthOf } from '../text-length';
import type { TransformInput } from '../types';
import type { UsedEntities } from '../unused-entities';
import { TEXT_LENGTHS } from './rules';
import { withoutEmoji } from './without-emoji';

/** What every part of one transformation needs. */
export interface TransformContext {
  readonly input: TransformInput;
  readonly menu: Menu;
  readonly index: MenuIndex;
  readonly used: UsedEntities;
  readonly losses: LossBook;
  /** Those of the menu. */
  readonly prices: NamedPrices | undefined;
  /** POS ids of what stands in a category of the menu. */
  readonly sold: ReadonlySet<string>;
  readonly groups: GroupPlan;
}

/** Name and description as the app takes them: without emoji; what is too long then blocks, as half a name helps no guest. */
export function shownTexts(
  { losses }: TransformContext,
  ref: EntityRef,
  entity: { readonly name: string; readonly description?: string | null },
): { readonly name: string; readonly description: string } {
  const sent = { name: entity.name, description: entity.description ?? '' };
  const shown = { name: withoutEmoji(sent.name), description: withoutEmoji(sent.description) };
  const changed = (['name', 'description'] as const).filter(
    (field) => shown[field] !== sent[field],
  );
  if (changed.length > 0) losses.add('emoji_removed', ref, changed.join(' and its '));
  const problems = [
    ...(shown.name === '' ? ['name may not be without any character but emoji'] : []),
    ...tooLong('name', shown.name),
    ...tooLong('description', shown.description),
  ];
  if (problems.length > 0) losses.add('text_too_long', ref, problems.join(', its '));
  return shown;
}

function tooLong(field: keyof typeof TEXT_LENGTHS, text: string): readonly string[] {
  const longest = TEXT_LENGTHS[field];
  return lengthOf(text) > longest ? [`${field} may not be greater than ${longest} characters`] : [];
}

/** A price on the wire; 0 with a blocking loss when the app has no unit for it, as that menu is never sent. */
export function wirePrice(
  { input, losses }: TransformContext,
  ref: EntityRef,
  value: string,
): number {
  const hundredths = digitsToInteger(value);
  // Division of whole numbers below 2^53 gives the nearest double, which JSON writes with two places at most.
  if (input.appDPriceUnit === 'decimal' || hundredths % 100 === 0) return hundredths / 100;
  losses.add('price_not_representable', ref, 'this delivery');
  return 0;
}
