import type { IncomingHttpHeaders } from 'node:http';
import {
  verifyRequestSignature,
  verifyStandardSignature,
} from '../../../src/platform/crypto/signing';

/** Standard Webhooks: a request is refused when its clock and ours differ by more. */
const TOLERANCE_SECONDS = 300;

export interface SignedRequest {
  /** All secrets that the receiver knows, newest or not. */
  readonly secrets: readonly string[];
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  /** ms since the epoch. */
  readonly receivedAt: number;
}

/**
 * Whether both families of signatures are right and recent, checked as an independent receiver would: one by the
 * headers alone, the other by the body's `now` if there is one (a request to a POS has none). Events for the platform
 * have only the first family.
 */
export function isSignedRightly({ secrets, headers, body, receivedAt }: SignedRequest): boolean {
  const messageId = one(headers['webhook-id']);
  const timestamp = one(headers['webhook-timestamp']);
  const age = receivedAt / 1_000 - Number(timestamp);
  // Not `age > …`: the age of a timestamp that is no number is NaN, and greater than nothing.
  if (!/^\d{1,11}$/.test(timestamp) || !(Math.abs(age) <= TOLERANCE_SECONDS)) return false;
  const now = new Date(Number(timestamp) * 1_000).toISOString();
  const standard = { messageId, timestamp, signature: one(headers['webhook-signature']) };
  if (!verifyStandardSignature({ secrets, body, ...standard })) return false;
  const members = membersOf(body);
  if ('type' in members && 'timestamp' in members) return !('x-signature-request' in headers);
  const request = {
    now: 'now' in members ? String(members['now']) : now,
    signature: one(headers['x-signature-request']),
  };
  return request.now === now && verifyRequestSignature({ secrets, body, ...request });
}

/** A repeated header is joined by Node; an absent one is as wrong as an empty one. */
function one(value: string | string[] | undefined): string {
  return typeof value === 'string' ? value : '';
}

function membersOf(body: Buffer): Readonly<Record<string, unknown>> {
  try {
    const parsed: unknown = JSON.parse(body.toString('utf8'));
    return typeof parsed === 'object' && parsed !== null ? { ...parsed } : {};
  } catch {
    return {};
  }
}
