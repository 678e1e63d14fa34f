import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { SecretBox } from '../platform/crypto/secrets';

/** A person who signed in. Nothing of it is kept here: it stands, sealed, in the cookie. */
export interface ConsoleSession {
  /** Of the token, hex: the token itself is not in the cookie, and the session ends with it. */
  readonly tokenSha256: string;
  /** What each form of the session carries, so that no other site can send one. */
  readonly formToken: string;
  /** Ms since the epoch. */
  readonly endsAt: number;
}

export const SESSION_COOKIE = 'console_session';
/** A working day; then one signs in again. */
export const SESSION_SECONDS = 12 * 3_600;
const CONTEXT = 'console session';

/** Begins a session with a token that has been checked, of which this is the SHA-256. */
export function beginSession(sha256: Buffer, now: number): ConsoleSession {
  return {
    tokenSha256: sha256.toString('hex'),
    formToken: randomBytes(24).toString('base64url'),
    endsAt: now + SESSION_SECONDS * 1_000,
  };
}

export function sealSession(secrets: SecretBox, session: ConsoleSession): string {
  return secrets.encrypt(JSON.stringify(session), CONTEXT).toString('base64url');
}

/** The session of a cookie; undefined when it is not ours, was changed, or is over. */
export function openSession(
  secrets: SecretBox,
  cookie: string | undefined,
  now: number,
): ConsoleSession | undefined {
  if (!cookie || cookie.length > 1_024) return undefined;
  try {
    const text = secrets.decrypt(Buffer.from(cookie, 'base64url'), CONTEXT);
    const session = JSON.parse(text) as ConsoleSession;
    return session.endsAt > now ? session : undefined;
  } catch {
    return undefined;
  }
}

/** Whether a form was made for this session; in constant time. */
export function isOwnForm(session: ConsoleSession, given: string | null): boolean {
  return timingSafeEqual(digest(session.formToken), digest(given ?? ''));
}

/** Of one length, as the comparison asks for. */
function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
