import { createHmac, timingSafeEqual } from 'node:crypto';

export interface ReceivedWebhook {
  /** Of the request: `Headers`, or Node's `request.headers`. */
  readonly headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>>;
  /** The received body, byte for byte; a parsed and re-printed one has another signature. */
  readonly body: string | Uint8Array;
  /** One or more `whsec_…`: after a rotation both the new and the old one. */
  readonly secrets: string | readonly string[];
  /** How far its time may be from now, in seconds; 300 when absent. */
  readonly toleranceSeconds?: number;
  /** ms since the epoch; for tests. */
  readonly now?: number;
}

export interface VerifiedWebhook {
  /** The same for every attempt of a message: apply each once. */
  readonly id: string;
  /** When the attempt was made. */
  readonly sentAt: Date;
  /** Grows with each message of a webhook: an older one is no news. Not signed. Null where it is absent. */
  readonly sequence: number | null;
  /** The body, parsed: `Schemas['StockMessage']`, `Schemas['ItemDataMessage']` or an event. */
  readonly message: unknown;
}

/** The request is not from the service, or is too old. Answer 401: a true one is tried again. */
export class WebhookNotVerifiedError extends Error {
  override readonly name = 'WebhookNotVerifiedError';
}

/**
 * Checks the sender and the age of a webhook by `webhook-signature` of Standard Webhooks. Throws
 * `WebhookNotVerifiedError` unless one of the secrets has signed it within the tolerance, `TypeError` for an invalid
 * secret, and `SyntaxError` for a signed body that is not JSON.
 */
export function verifyWebhook({
  headers,
  body,
  secrets,
  toleranceSeconds = 300,
  now = Date.now(),
}: ReceivedWebhook): VerifiedWebhook {
  const id = headerOf(headers, 'webhook-id');
  const timestamp = headerOf(headers, 'webhook-timestamp');
  if (id === '' || !/^\d{1,11}$/.test(timestamp)) refuse('a header is missing');
  if (Math.abs(now / 1_000 - Number(timestamp)) > toleranceSeconds) refuse('it is too old');
  const given = headerOf(headers, 'webhook-signature').split(' ');
  const bytes = typeof body === 'string' ? Buffer.from(body) : body;
  const signed = [secrets].flat().some((secret) => {
    const mac = createHmac('sha256', keyOf(secret)).update(`${id}.${timestamp}.`).update(bytes);
    const expected = Buffer.from(`v1,${mac.digest('base64')}`);
    return given.some((each) => isSame(expected, Buffer.from(each)));
  });
  if (!signed) refuse('no signature is right');
  const sequence = headerOf(headers, 'webhook-sequence');
  return {
    id,
    sentAt: new Date(Number(timestamp) * 1_000),
    sequence: /^\d{1,15}$/.test(sequence) ? Number(sequence) : null,
    message: JSON.parse(Buffer.from(bytes).toString('utf8')) as unknown,
  };
}

function refuse(why: string): never {
  throw new WebhookNotVerifiedError(`the webhook is not verified: ${why}`);
}

function headerOf(headers: ReceivedWebhook['headers'], name: string): string {
  const value = headers instanceof Headers ? headers.get(name) : headers[name];
  return typeof value === 'string' ? value : '';
}

/** An empty or a misspelt secret would make a key that anybody can guess; Standard Webhooks asks for 24 bytes. */
function keyOf(secret: string): Buffer {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  if (!secret.startsWith('whsec_') || key.length < 24) throw new TypeError('a secret is whsec_…');
  return key;
}

function isSame(expected: Buffer, given: Buffer): boolean {
  // timingSafeEqual throws for different lengths; the length of a signature is no secret.
  return expected.length === given.length && timingSafeEqual(expected, given);
}
