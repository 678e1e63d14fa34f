import { type DeliveryId, type Id, isId, type MessageId, newId } from '../platform/ids';

/**
 * The deliveries of one accepted event have ids made of this stem and a number. So one id bound to an idempotency key
 * finds all of them, by a range of the primary key and without an extra column.
 */
export type EventId = Id<'evt'>;

/** Digits of a delivery's number within its event: 4,096 inventory systems of one store. */
const NUMBER_DIGITS = 3;
const TIME_DIGITS = 12;
const MOST_DELIVERIES = 16 ** NUMBER_DIGITS;

/** Texts before and after the ids of all deliveries. */
export const BEFORE_ALL_DELIVERIES = 'dlv';
export const AFTER_ALL_DELIVERIES = 'dlw';

/** 48 bits of time and 68 random ones. */
export function newEventId(): EventId {
  return newId('evt').slice(0, -NUMBER_DIGITS) as EventId;
}

/** The id of the delivery with this number, from 0; throws past 4,095. */
export function deliveryIdOf(eventId: EventId, number: number): DeliveryId {
  if (number >= MOST_DELIVERIES) throw new Error('an event has too many deliveries');
  return `${stemOf(eventId)}${number.toString(16).padStart(NUMBER_DIGITS, '0')}` as DeliveryId;
}

/** The first and the last id that a delivery of the event can have. */
export function deliveryIdRange(eventId: EventId): readonly [first: DeliveryId, last: DeliveryId] {
  return [deliveryIdOf(eventId, 0), deliveryIdOf(eventId, MOST_DELIVERIES - 1)];
}

/** The `webhook-id` of a delivery: the same for every attempt and every resend. */
export function messageIdOf(deliveryId: DeliveryId): MessageId {
  return deliveryId.replace(/^dlv_/, 'msg_') as MessageId;
}

/** The delivery that a caller names by its own id, or by the `webhook-id` that its receiver has; undefined if it is neither. */
export function namedDeliveryId(text: string): DeliveryId | undefined {
  const id = text.replace(/^msg_/, 'dlv_');
  return isId('dlv', id) ? id : undefined;
}

/** When a delivery was made, ms since the epoch by the clock of its API; 0 if `id` is malformed. */
export function timeOfDelivery(id: string): number {
  const at = Number.parseInt(id.slice('dlv_'.length, 'dlv_'.length + TIME_DIGITS), 16);
  return Number.isFinite(at) ? at : 0;
}

function stemOf(eventId: EventId): string {
  return eventId.replace(/^evt_/, 'dlv_');
}
