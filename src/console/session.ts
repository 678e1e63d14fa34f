import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { SecretBox } from '../platform/crypto/secrets';

/** A signed-in user. The server stores nothing: the session is in the cookie, sealed. */
export interface ConsoleSession {
  /** SHA-256 of the token, hex: the cookie does not contain the token, and the session ends with it. */
  readonly tokenSha256: string;
  /** Required in each form of the session, so that another site cannot submit one. */
  readonly formToken: string;
  /** Ms since the epoch. */
  readonly endsAt: number;
}

export const SESSION_COOKIE = 'console_session';
/** A working day; after that the user must sign in again. */
export const SESSION_SECONDS = 12 * 3_600;
const CONTEXT = 'console session';

/** Starts a session with a verified token; `sha256` is its hash. */
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

/** The session of a cookie; undefined if it is not ours, was changed, or has expired. */
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

/** Whether a form belongs to this session; compared in constant time. */
export function isOwnForm(session: ConsoleSession, formToken: string | null): boolean {
  return timingSafeEqual(digest(session.formToken), digest(formToken ?? ''));
}

/** Digests have equal lengths, which the comparison requires. */
function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
