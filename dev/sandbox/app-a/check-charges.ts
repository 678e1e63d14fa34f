import { refuse } from './broken-rule';
import type { SentItem, SentMenu } from './read-menu';

/** The app charges for units above a number only where every option of the group has the same price. */
export function checkCharges({ groups, items }: SentMenu): void {
  const byId = new Map(items.map((item) => [item.id, item]));
  for (const { id, optionIds, quantityInfo } of groups) {
    if (!quantityInfo.chargesAbove) continue;
    const prices = optionIds.flatMap((option) => {
      const item = byId.get(option);
      return item ? [priceIn(item, id)] : [];
    });
    if (new Set(prices).size > 1) {
      refuse(`Invalid Quantity: modifier group ${id} charges above a number for different prices`);
    }
  }
}

function priceIn({ price, priceOverrides }: SentItem, groupId: string): number {
  const override = priceOverrides.find(
    ({ contextType, contextValue }) => contextType === 'MODIFIER_GROUP' && contextValue === groupId,
  );
  return override?.price ?? price;
}
