import { createHmac, type Hmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { unixSeconds, type WholeSecond } from '../whole-second';

const SECRET_PREFIX = 'whsec_';
const NEW_KEY_BYTES = 32;
/** Standard Webhooks: a key has 24 to 64 bytes. */
const MIN_KEY_BYTES = 24;
const MAX_KEY_BYTES = 64;

/** The newest secret, and during a rotation's grace the one before it. */
export type SigningSecrets = readonly [newest: string, ...earlier: string[]];

/** The two families of signature headers; lower-case names, because HTTP ignores case but our tests do not. */
export interface SignatureHeaders {
  readonly 'webhook-id': string;
  readonly 'webhook-timestamp': string;
  /** Standard Webhooks: `v1,<base64>` over `id.timestamp.body`. */
  readonly 'webhook-signature': string;
  /** `v1=<hex>` over `now.body`. */
  readonly 'x-signature-request': string;
}

export interface SignableMessage {
  readonly secrets: SigningSecrets;
  /** The same for every attempt, so that receivers recognise repeats. */
  readonly messageId: string;
  /** The exact text that is sent, including its `now`. */
  readonly body: string;
  readonly now: WholeSecond;
}

/**
 * Signs one attempt to a receiver or one request to a POS; both families are HMAC-SHA256 with the same key. That is
 * safe because their texts cannot be confused: `now` contains colons, a message id never does. Throws if a secret or
 * the message id is malformed; errors quote neither.
 */
export function signWebhook({ secrets, messageId, body, now }: SignableMessage): SignatureHeaders {
  // A full stop in the id would let `id.timestamp.body` be read in two ways.
  if (!/^[\w-]{1,255}$/.test(messageId)) throw new Error('the message id is not well-formed');
  const timestamp = String(unixSeconds(now));
  const keys = secrets.map(decodeSecret);
  return {
    'webhook-id': messageId,
    'webhook-timestamp': timestamp,
    'webhook-signature': keys
      .map((key) => `v1,${standardMac(key, messageId, timestamp, body).digest('base64')}`)
      .join(' '),
    'x-signature-request': keys
      .map((key) => `v1=${requestMac(key, now, body).digest('hex')}`)
      .join(','),
  };
}

export interface ReceivedStandardSignature {
  /** All secrets that may have signed. */
  readonly secrets: readonly string[];
  readonly messageId: string;
  readonly timestamp: string;
  /** The value of `webhook-signature`. */
  readonly signature: string;
  readonly body: string | Buffer;
}

/** Whether one of the space-separated `v1` signatures is right. The caller must check the age of the timestamp. */
export function verifyStandardSignature(received: ReceivedStandardSignature): boolean {
  const { messageId, timestamp, body } = received;
  const given = signatures(received.signature, ' ', 'v1,', 'base64');
  return received.secrets.some((secret) =>
    isAmong(given, standardMac(decodeSecret(secret), messageId, timestamp, body).digest()),
  );
}

export interface ReceivedRequestSignature {
  readonly secrets: readonly string[];
  /** The body's `now`, or the same instant from `webhook-timestamp`. */
  readonly now: string;
  /** The value of `X-Signature-Request`. */
  readonly signature: string;
  readonly body: string | Buffer;
}

/** Whether one of the comma-separated `v1` signatures is right. The caller must check the age of `now`. */
export function verifyRequestSignature(received: ReceivedRequestSignature): boolean {
  const given = signatures(received.signature, ',', 'v1=', 'hex');
  return received.secrets.some((secret) =>
    isAmong(given, requestMac(decodeSecret(secret), received.now, received.body).digest()),
  );
}

/** A new signing secret: `whsec_` and the base64 of 32 random bytes. */
export function generateSecret(): string {
  return SECRET_PREFIX + randomBytes(NEW_KEY_BYTES).toString('base64');
}

/** Whether `text` is a secret that this module signs with: `whsec_` and the strict base64 of 24 to 64 bytes. */
export function isSecret(text: string): boolean {
  return tryDecode(text) !== null;
}

function decodeSecret(secret: string): Buffer {
  const key = tryDecode(secret);
  if (key === null) throw new Error('a signing secret is not well-formed');
  return key;
}

function tryDecode(secret: string): Buffer | null {
  if (!secret.startsWith(SECRET_PREFIX)) return null;
  const encoded = secret.slice(SECRET_PREFIX.length);
  const key = Buffer.from(encoded, 'base64');
  // Node skips characters that are not base64, and would sign with a damaged key that no receiver has.
  const strict = key.toString('base64') === encoded;
  return strict && key.length >= MIN_KEY_BYTES && key.length <= MAX_KEY_BYTES ? key : null;
}

function standardMac(key: Buffer, id: string, timestamp: string, body: string | Buffer): Hmac {
  return createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body);
}

function requestMac(key: Buffer, now: string, body: string | Buffer): Hmac {
  return createHmac('sha256', key).update(`${now}.`).update(body);
}

function signatures(
  header: string,
  separator: string,
  version: string,
  encoding: 'base64' | 'hex',
): readonly Buffer[] {
  return header
    .split(separator)
    .filter((each) => each.startsWith(version))
    .map((each) => Buffer.from(each.slice(version.length), encoding));
}

function isAmong(given: readonly Buffer[], expected: Buffer): boolean {
  return given.some((each) => each.length === expected.length && timingSafeEqual(each, expected));
}
