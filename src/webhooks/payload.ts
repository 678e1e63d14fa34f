import { TEST_EVENT } from '../../schemas/platform-events';
import type { WholeSecond } from '../platform/whole-second';

declare const brand: unique symbol;
/**
 * A webhook body without its `now`, as it is stored: JSON text of one object that starts with `{"` and has no
 * top-level `now`. It is made only here and rendered only by `renderBody`, and never parsed in between, so the
 * receiver reads exactly what the POS wrote, to the last zero of a number. The Postgres type `json` preserves the
 * text, `jsonb` does not; it is read as `payload::text`, because the driver would parse it.
 */
export type PayloadText = string & { readonly [brand]: 'payload' };

/** `1`: POS item data. `2`: POS stock updates. */
export type WebhookType = 1 | 2;
export const STOCK = 2;

export interface ItemData {
  readonly inventorySystemId: string;
  /** The store's id in the inventory system. */
  readonly externalStoreId: string;
  /** JSON text of each array, as `rawMembers` cut it out of the request. */
  readonly units: string;
  readonly items: string;
  readonly suppliers: string;
}

export interface StockMovement {
  readonly inventorySystemId: string;
  /** The store's id in the inventory system. */
  readonly externalStoreId: string;
  /** The item's id in the POS. */
  readonly externalId: string;
  /** Decimal strings, kept as strings: `"10.50"` stays `"10.50"`. */
  readonly currentStock: string;
  readonly quantity: string;
  /** ISO 8601 date or date-time, as the POS sent it. */
  readonly date: string;
  /** `1`: added. `2`: removed. */
  readonly movementType: 1 | 2;
}

/** The payload of a type 1 webhook; key order is the documented one, with `now` in front once rendered. */
export function itemDataPayload(data: ItemData): PayloadText {
  const systemId = JSON.stringify(data.inventorySystemId);
  const storeId = JSON.stringify(data.externalStoreId);
  const lists = `"units":${data.units},"items":${data.items},"suppliers":${data.suppliers}`;
  return `{"inventory_system_id":${systemId},${lists},"store_id":${storeId}}` as PayloadText;
}

/** The payload of a type 2 webhook. */
export function stockPayload(movement: StockMovement): PayloadText {
  return JSON.stringify({
    inventory_system_id: movement.inventorySystemId,
    external_id: movement.externalId,
    current_stock: movement.currentStock,
    quantity: movement.quantity,
    date: movement.date,
    movement_type: movement.movementType,
    store_id: movement.externalStoreId,
  }) as PayloadText;
}

/**
 * The test of a webhook for events. Like all events it is sent unchanged, with the time at which it was made. The
 * database writes all other events.
 */
export function testEventPayload(now: Date): PayloadText {
  return JSON.stringify({ type: TEST_EVENT, timestamp: now, data: {} }) as PayloadText;
}

/**
 * The body of one attempt: the payload with `now` as its first key and otherwise unchanged. First, because that
 * position is found without parsing. Throws if `stored` was not made here.
 */
export function renderBody(stored: string, now: WholeSecond): string {
  if (!stored.startsWith('{"')) throw new Error('a stored webhook payload must start with {"');
  return `{"now":"${now}",${stored.slice(1)}`;
}
