import { amountOf, type GroupQuantity, type ModifierGroup } from '../../src/menus/menu';
import type { Work } from './difference-work';
import { sentLimits } from './sent-menu';

/** How a group with these limits is to be shown: as it was sent, or its free units apart from the others. */
export interface GroupPart {
  readonly kind: 'whole' | 'free' | 'paid';
  readonly min: number;
  readonly max: number;
  /** Units that the app itself does not charge. */
  readonly free: number;
}

export function partsOfGroup(
  { sent, options }: Pick<Work, 'sent' | 'options'>,
  group: ModifierGroup,
  quantity: GroupQuantity,
): readonly GroupPart[] {
  const { min, max } = sentLimits(quantity);
  const free = Number(quantity.free_quantity ?? 0);
  const prices = new Set(
    sent.optionsOf(group).flatMap(({ item_external_id: id, price }) => {
      const own = price ?? sent.items.get(id)?.price;
      return own ? [Number(amountOf(own))] : [];
    }),
  );
  const isKept =
    options.freeUnits === 'any' || (options.freeUnits === 'one price' && prices.size <= 1);
  if (isKept) return [{ kind: 'whole', min, max, free }];
  const costs = [...prices].some((price) => price > 0);
  if (free === 0 || !costs) return [{ kind: 'whole', min, max, free: 0 }];
  const least = Math.min(min, free);
  return [
    { kind: 'free', min: least, max: free, free: 0 },
    ...(max > free ? [{ kind: 'paid', min: min - least, max: max - free, free: 0 } as const] : []),
  ];
}
