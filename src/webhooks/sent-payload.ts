import type { Sql } from '../platform/db/client';
import { wholeSecond } from '../platform/whole-second';
import { bodyOfAttempt } from './attempt/webhook-request';
import { type AttemptView, type DeliveryView, findPayload } from './sql/delivery-views';

/** A larger payload is not part of the answer of its delivery; it has a URL of its own. */
const LARGEST_SHOWN = 256 * 1024;

/** What a delivery was last sent, as its own answer shows it. */
export interface SentPayload {
  /** JSON text, byte for byte as it was sent; null if nothing was sent yet, or it is too large. */
  readonly json: string | null;
  /** Where it is, if it is too large. */
  readonly url: string | null;
}

/** Reads what the last attempt sent: the payload with the `now` of that attempt. */
export async function readSentPayload(
  sql: Sql,
  delivery: DeliveryView,
  attempts: readonly AttemptView[],
): Promise<SentPayload> {
  const last = attempts.at(-1);
  if (last === undefined) return { json: null, url: null };
  const stored = await findPayload(sql, delivery.deliveryId, LARGEST_SHOWN);
  const json = stored === null ? null : sentBy(delivery, stored, last);
  return json === null || Buffer.byteLength(json) > LARGEST_SHOWN
    ? { json: null, url: `/api/v1/webhooks/deliveries/${delivery.deliveryId}/payload` }
    : { json, url: null };
}

/** The body of an attempt, given the stored payload. */
export function sentBy(
  { type }: Pick<DeliveryView, 'type'>,
  stored: string,
  { startedAt }: Pick<AttemptView, 'startedAt'>,
): string {
  return bodyOfAttempt(type, stored, wholeSecond(startedAt.getTime()));
}
