import type { FromSchema } from 'json-schema-to-ts';
import {
  externalId,
  inventorySystemId,
  movementDate,
  movementType,
  name,
  posId,
  stockQuantity,
  storeId,
} from './fields';

export const inventorySystemCreateSchema = {
  type: 'object',
  required: ['name'],
  properties: { name },
} as const;

export const inventorySystemChangeSchema = {
  type: 'object',
  properties: { name },
} as const;

/** The store's id in the inventory system. */
export const storeLinkSchema = {
  type: 'object',
  required: ['inventory_system_id', 'store_id', 'external_store_id'],
  properties: {
    inventory_system_id: inventorySystemId,
    store_id: storeId,
    external_store_id: externalId,
  },
} as const;

/** From an inventory system to the POS. */
export const posStockUpdateSchema = {
  type: 'object',
  required: [
    'inventory_system_id',
    'pos_id',
    'current_stock',
    'quantity',
    'date',
    'movement_type',
    'external_id',
  ],
  properties: {
    inventory_system_id: inventorySystemId,
    pos_id: posId,
    current_stock: stockQuantity,
    quantity: stockQuantity,
    date: movementDate,
    movement_type: movementType,
    external_id: externalId,
  },
} as const;

export type PosStockUpdate = FromSchema<typeof posStockUpdateSchema>;
