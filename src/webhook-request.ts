import type { ReceiverHeaders } from './domain/receiver-headers';
import { renderBody } from './domain/webhook-body';
import { wholeSecond } from './domain/whole-second';
import { type SigningSecrets, signWebhook } from './signing';

export interface WebhookAttempt {
  /** The stored payload, see `PayloadText`. */
  readonly payload: string;
  readonly secrets: SigningSecrets;
  /** Headers that the receiver wants with each request; none of them is one of ours. */
  readonly ownHeaders?: ReceiverHeaders;
  readonly messageId: string;
  /** Grows with each delivery of the subscription. */
  readonly sequence: number;
  /** ms since the epoch; when the attempt is made. */
  readonly now: number;
}

export interface WebhookRequest {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/**
 * What one attempt sends: dated, signed afresh, the one `now` in the body and under both signatures.
 * Throws when a secret or the payload is not well-formed: a defect of ours, which no retry cures.
 */
export function buildWebhookRequest(attempt: WebhookAttempt): WebhookRequest {
  const now = wholeSecond(attempt.now);
  const body = renderBody(attempt.payload, now);
  const { secrets, messageId } = attempt;
  return {
    body,
    headers: {
      ...attempt.ownHeaders,
      'content-type': 'application/json',
      'user-agent': 'pos-integrations/1',
      'webhook-sequence': String(attempt.sequence),
      ...signWebhook({ secrets, messageId, body, now }),
    },
  };
}
