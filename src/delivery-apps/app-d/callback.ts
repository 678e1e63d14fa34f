import { createHmac, timingSafeEqual } from 'node:crypto';
import { parseJson } from '../http-outcome';
import { isRecord } from '../is-record';
import { reasonText } from '../reason-text';
import type { PushOutcome } from '../app-client';

/** The header with the signature, as Node names headers. */
export const APP_D_SIGNATURE_HEADER = 'rappi-signature';

/** The time of the signature, and an HMAC-SHA256 in hex. */
export const APP_D_SIGNATURE_FORM = /^t=(\d{1,14}),sign=([0-9a-f]{64})$/i;

/** Known events; the app has a URL for each. */
export const APP_D_EVENTS = ['MENU_APPROVED', 'MENU_REJECTED'] as const;

/** Older webhooks are refused, so that a captured one is soon worthless; so are those of a later time. */
const FARTHEST_MS = 300_000;
/** Larger times are in ms: as seconds they would lie beyond the year 5138. */
const FIRST_MS = 100_000_000_000;
const LONGEST_ID = 255;

export interface AppDCallback {
  /** The store's id in the app. */
  readonly appStoreId: string;
  /** null: a signed event that is not about a menu. */
  readonly outcome: Extract<PushOutcome, { kind: 'live' | 'rejected' }> | null;
}

/** When the signature was made, ms since epoch; NaN if it is malformed. The unit is not published. */
export function signedAt(signature: string): number {
  const time = Number(APP_D_SIGNATURE_FORM.exec(signature)?.[1] ?? Number.NaN);
  return time >= FIRST_MS ? time : time * 1000;
}

/**
 * Whether the app signed these bytes, at most five minutes from `now`: HMAC of `t.body`, keyed by the webhook's secret.
 */
export function isSignedByAppD(
  body: Buffer,
  signature: string,
  secret: string,
  now: number,
): boolean {
  const [, time = '', sign = ''] = APP_D_SIGNATURE_FORM.exec(signature) ?? [];
  if (sign === '' || !(Math.abs(now - signedAt(signature)) <= FARTHEST_MS)) return false;
  const expected = createHmac('sha256', secret).update(`${time}.`).update(body).digest();
  return timingSafeEqual(expected, Buffer.from(sign, 'hex'));
}

/**
 * Reads a webhook with a valid signature. The event is in the URL that the operator registered for it, because the
 * bodies of two events may be alike, or in the body. `undefined`: it names no store.
 */
export function parseAppDCallback(
  body: Buffer,
  eventOfUrl: string | undefined,
): AppDCallback | undefined {
  const message = parseJson(body.toString('utf8'));
  if (!isRecord(message)) return undefined;
  const { store_id: store, event } = message;
  const appStoreId = Number.isSafeInteger(store) ? String(store) : store;
  if (typeof appStoreId !== 'string' || !isKeepable(appStoreId)) return undefined;
  switch (typeof event === 'string' ? event : eventOfUrl) {
    case 'MENU_APPROVED':
      return { appStoreId, outcome: { kind: 'live' } };
    case 'MENU_REJECTED':
      return { appStoreId, outcome: { kind: 'rejected', reasons: [reasonOf(message['message'])] } };
    case undefined:
    default:
      return { appStoreId, outcome: null };
  }
}

function reasonOf(words: unknown): string {
  const reason = typeof words === 'string' ? reasonText(words, []) : '';
  return reason === '' ? 'The app rejected the menu and gave no reason.' : reason;
}

/** Postgres can store neither a NUL nor half of a character. */
function isKeepable(id: string): boolean {
  return id !== '' && id.length <= LONGEST_ID && !/\0|\p{Surrogate}/u.test(id);
}
