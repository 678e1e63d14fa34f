import { externalId, movementDate, movementType, stockQuantity } from './fields';

/**
 * The records are the POS's own and are passed on unchanged, so their fields are not described; the bounds of the
 * body are theirs.
 */
const records = { type: 'array' } as const;

/** Becomes a type 1 webhook. */
export const inventoryItemsEventSchema = {
  type: 'object',
  required: ['units', 'items', 'suppliers'],
  properties: { units: records, items: records, suppliers: records },
} as const;

/** Becomes a type 2 webhook. */
export const inventoryStockEventSchema = {
  type: 'object',
  required: ['external_id', 'current_stock', 'quantity', 'date', 'movement_type'],
  properties: {
    external_id: externalId,
    current_stock: stockQuantity,
    quantity: stockQuantity,
    date: movementDate,
    movement_type: movementType,
  },
} as const;
