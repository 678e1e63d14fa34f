import type { ReceiverHeaders } from './receiver-headers';
import { EVENTS, type MessageType } from '../platform-events';
import { renderBody } from '../payload';
import { wholeSecond, type WholeSecond } from '../../platform/whole-second';
import { type SigningSecrets, signWebhook } from '../../platform/crypto/signing';

export interface WebhookAttempt {
  readonly type: MessageType;
  /** The stored payload, see `PayloadText`. */
  readonly payload: string;
  readonly secrets: SigningSecrets;
  /** Headers that the receiver wants with each request; none of them is one of ours. */
  readonly ownHeaders?: ReceiverHeaders;
  readonly messageId: string;
  /** Grows with each delivery of the subscription. */
  readonly sequence: number;
  /** When the attempt is made, ms since the epoch. */
  readonly now: number;
}

export interface WebhookRequest {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The body of an attempt of that time, given the stored payload. */
export function bodyOfAttempt(type: MessageType, payload: string, now: WholeSecond): string {
  return type === EVENTS ? payload : renderBody(payload, now);
}

/**
 * What one attempt sends: freshly dated and signed, with the same `now` in the body and in both signatures. An event
 * carries the time of its cause and never changes, so it has no `now` and no signature over it. Throws if a secret or
 * the payload is malformed: a defect of ours that no retry fixes.
 */
export function buildWebhookRequest(attempt: WebhookAttempt): WebhookRequest {
  const now = wholeSecond(attempt.now);
  const { type, payload, secrets, messageId } = attempt;
  const body = bodyOfAttempt(type, payload, now);
  const { 'x-signature-request': requestSignature, ...signed } = signWebhook({
    secrets,
    messageId,
    body,
    now,
  });
  return {
    body,
    headers: {
      ...attempt.ownHeaders,
      'content-type': 'application/json',
      'user-agent': 'pos-integrations/1',
      'webhook-sequence': String(attempt.sequence),
      ...signed,
      ...(type === EVENTS ? {} : { 'x-signature-request': requestSignature }),
    },
  };
}
