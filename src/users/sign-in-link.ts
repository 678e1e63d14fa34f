import { randomBytes } from 'node:crypto';
import type { Sql } from '../platform/db/client';
import type { UserId } from '../platform/ids';
import { insertSignInLink } from './sql/sign-in-links';
import { tokenSha256 } from './token-sha256';

/** Long enough to send it to somebody and have it opened, short enough for what lies in a chat. */
const LINK_SECONDS = 15 * 60;

/**
 * Where a link leads. The secret stands in the query: without a script a browser sends no fragment, and this service
 * logs and traces paths only. Pressing the button sends it in a body.
 */
export const SIGN_IN_LINK_PATH = '/console/sign-in/link';

export interface MadeLink {
  /** Good once, for whoever has it. */
  readonly url: string;
  readonly expiresAt: Date;
}

/** Makes a link by which an active user signs in to the console; undefined = there is no such user. */
export async function makeSignInLink(
  sql: Sql,
  {
    publicUrl,
    userId,
    madeBy,
  }: {
    /** `PUBLIC_URL`. */
    readonly publicUrl: string;
    readonly userId: string;
    /** The operator; null: the administration. */
    readonly madeBy: UserId | null;
  },
): Promise<MadeLink | undefined> {
  const secret = randomBytes(32).toString('base64url');
  const sha256 = tokenSha256(secret);
  const expiresAt = await insertSignInLink(sql, { sha256, userId, madeBy, seconds: LINK_SECONDS });
  if (!expiresAt) return undefined;
  return { url: `${publicUrl}${SIGN_IN_LINK_PATH}?${new URLSearchParams({ secret })}`, expiresAt };
}
