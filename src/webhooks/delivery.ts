import type { DELIVERY_STATES } from '../../schemas/states';

/** Everything but `pending` is an end; a resend makes an ended delivery pending again. */
export type DeliveryState = (typeof DELIVERY_STATES)[number];

/** What became of a type 2 event at one inventory system. */
export interface DeliveryAnswer {
  readonly state: DeliveryState;
  /** The receiver's latest words. */
  readonly message: string | null;
}

export type EventVerdict =
  | { readonly kind: 'acknowledged' }
  | { readonly kind: 'refused'; readonly messages: readonly string[] }
  | { readonly kind: 'pending' };

/**
 * What the POS user is told about an event that went to several systems: one refusal is enough to refuse, as somebody
 * has to act on it; only when all have acknowledged is it done.
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
