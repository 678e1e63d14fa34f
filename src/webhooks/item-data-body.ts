import { inventoryItemsEventSchema } from '../../schemas/pos-events';
import { rawMembers } from '../platform/text/raw-json';
import { LARGE_BODY, reducedJsonBody } from '../http/body/request-body';

/** The three lists of item data as text, so that numbers too long for a float reach the receiver digit for digit. */
export interface ItemLists {
  readonly units: string;
  readonly items: string;
  readonly suppliers: string;
}

/** The body of item data. */
export const ITEM_DATA_BODY = reducedJsonBody(
  {
    name: 'InventoryItemsEvent',
    schema: inventoryItemsEventSchema,
    maxBytes: LARGE_BODY,
    example: {
      units: [{ id: 'kg' }],
      items: [{ id: 'margherita', unit: 'kg' }],
      suppliers: [],
    },
  },
  ({ text }): ItemLists => {
    const members = rawMembers(text);
    const list = (name: string): string => members.get(name) ?? '[]';
    return { units: list('units'), items: list('items'), suppliers: list('suppliers') };
  },
);
