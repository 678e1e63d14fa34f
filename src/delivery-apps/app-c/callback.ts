import { createHash, timingSafeEqual } from 'node:crypto';
import type { PollOutcome } from '../app-client';
import { isRecord } from '../is-record';
import { idOf, readJson } from './envelope';
import { taskOutcome } from './task-outcome';

/** The header with the signature, as Node names headers. */
export const CALLBACK_SIGNATURE_HEADER = 'didi-header-sign';

/** The form of a signature: an MD5 in hex. */
export const CALLBACK_SIGNATURE_FORM = /^[0-9a-f]{32}$/i;

/** The answer that the app expects, with HTTP 200; otherwise it repeats the callback. */
export const CALLBACK_ANSWER = { errno: 0, errmsg: 'ok' } as const;

export type Callback =
  | {
      readonly kind: 'task';
      readonly taskId: string;
      /** The shop's id in the app. */
      readonly appStoreId: string;
      readonly outcome: PollOutcome;
    }
  /** Signed, but not about a menu's task: acknowledged and ignored. */
  | { readonly kind: 'other' };

/**
 * Whether the app signed these bytes: `signature` is hex of md5(raw body + app secret). The app chose this scheme;
 * the comparison takes constant time.
 */
export function isSignedByApp(
  body: Buffer,
  signature: string | undefined,
  secret: string,
): boolean {
  if (signature === undefined || !CALLBACK_SIGNATURE_FORM.test(signature)) return false;
  const expected = createHash('md5').update(body).update(secret, 'utf8').digest();
  return timingSafeEqual(expected, Buffer.from(signature, 'hex'));
}

/**
 * Reads a callback with a valid signature. The app repeats callbacks and may send one before it has answered the
 * upload, so the caller finds its task by `taskId` and uses the first final outcome.
 */
export function parseCallback(body: Buffer): Callback {
  const message = readJson(body.toString('utf8'));
  if (!isRecord(message) || message['type'] !== 'uploadMenuTaskStatus') return { kind: 'other' };
  const data = message['data'];
  if (!isRecord(data)) return { kind: 'other' };
  const taskId = idOf(data['taskID']);
  const appStoreId = idOf(message['app_shop_id']) ?? idOf(data['appShopID']);
  if (taskId === undefined || appStoreId === undefined) return { kind: 'other' };
  return { kind: 'task', taskId, appStoreId, outcome: taskOutcome(data) };
}
