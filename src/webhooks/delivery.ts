import type { DELIVERY_STATES } from '../../schemas/states';

/** Every state but `pending` is final; a resend makes an ended delivery pending again. */
export type DeliveryState = (typeof DELIVERY_STATES)[number];

/** The outcome of a type 2 event at one inventory system. */
export interface DeliveryAnswer {
  readonly state: DeliveryState;
  /** The receiver's latest message. */
  readonly message: string | null;
}

export type EventVerdict =
  | { readonly kind: 'acknowledged' }
  | { readonly kind: 'refused'; readonly messages: readonly string[] }
  | { readonly kind: 'pending' };

/**
 * What the POS user is told about an event that went to several systems. One refusal refuses it, because somebody
 * must act on it; it is acknowledged only when all systems have acknowledged.
 */
export function judgeEvent(deliveries: readonly DeliveryAnswer[]): EventVerdict {
  const refused = deliveries.filter((each) => each.state === 'refused');
  if (refused.length > 0) {
    const messages = refused.flatMap((each) => (each.message === null ? [] : [each.message]));
    return { kind: 'refused', messages: [...new Set(messages)] };
  }
  return deliveries.every((each) => each.state === 'acknowledged')
    ? { kind: 'acknowledged' }
    : { kind: 'pending' };
}
