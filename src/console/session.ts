import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { SecretBox } from '../platform/crypto/secrets';

/**
 * A signed-in user, in a sealed cookie: a stranger's cookie is refused without asking the database. Whether the session
 * goes on, and whose it is, its row says.
 */
export interface ConsoleSession {
  readonly id: string;
  /** Required in each form of the session, so that another site cannot submit one. */
  readonly formToken: string;
}

export const SESSION_COOKIE = 'console_session';
/** A working day; after that the user must sign in again. */
export const SESSION_SECONDS = 12 * 3_600;
const CONTEXT = 'console session';

export function newSession(): ConsoleSession {
  return {
    id: randomBytes(24).toString('base64url'),
    formToken: randomBytes(24).toString('base64url'),
  };
}

export function sealSession(secrets: SecretBox, session: ConsoleSession): string {
  return secrets.encrypt(JSON.stringify(session), CONTEXT).toString('base64url');
}

/** The session of a cookie; undefined if it is not ours or was changed. */
export function openSession(
  secrets: SecretBox,
  cookie: string | undefined,
): ConsoleSession | undefined {
  if (!cookie || cookie.length > 1_024) return undefined;
  try {
    const text = secrets.decrypt(Buffer.from(cookie, 'base64url'), CONTEXT);
    return JSON.parse(text) as ConsoleSession;
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
