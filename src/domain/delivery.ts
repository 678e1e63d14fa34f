import type { WebhookType } from './webhook-body';

/** Everything but `pending` is an end; a resend makes an ended delivery pending again. */
export type DeliveryState =
  | 'pending'
  | 'delivered'
  | 'acknowledged'
  | 'refused'
  | 'exhausted'
  | 'discarded';

/** `1`, `2` or their digits, as a request gives them once its shape is known to be right. */
export function webhookTypeOf(value: string | number): WebhookType {
  return Number(value) === 1 ? 1 : 2;
}

/** A movement's type has the same spellings: 1 added, 2 removed. */
export const movementTypeOf: (value: string | number) => 1 | 2 = webhookTypeOf;

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
