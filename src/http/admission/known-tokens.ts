import type { IncomingMessage } from 'node:http';
import type { TokenOwner } from '../../users/sql/users';
import { TOKEN_PATTERN } from '../../users/token-pattern';
import { tokenSha256 } from '../../users/token-sha256';

/** A revocation takes up to this long; without the cache every request would cost a query (2.7× on the hot path). */
const CACHE_MS = 5_000;
const MAX_CACHED = 10_000;

const BEARER = new RegExp(`^Bearer +(${TOKEN_PATTERN}) *$`, 'i');

/** A token by its hash, as bytes and as the key of a map. */
export interface HashedToken {
  readonly sha256: Buffer;
  readonly key: string;
}

/** The bearer token of a request; one that is missing or malformed is hashed too, so that it takes the same work. */
export function tokenOf({ headers }: Pick<IncomingMessage, 'headers'>): HashedToken {
  const sha256 = tokenSha256(BEARER.exec(headers.authorization ?? '')?.[1] ?? '');
  return { sha256, key: sha256.toString('base64') };
}

/** The tokens that were good when they were last looked up, which is trusted for a while. */
export interface KnownTokens {
  /** The owner of a token that was looked up within the last seconds. */
  trusted(token: HashedToken): TokenOwner | undefined;
  /** Whether it was good when it was last looked up. */
  has(token: HashedToken): boolean;
  /** What a look-up has found. Unknown tokens are not kept, so that a token works as soon as it is created. */
  note(token: HashedToken, owner: TokenOwner | undefined): void;
}

export function createKnownTokens(): KnownTokens {
  const known = new Map<string, { owner: TokenOwner; until: number }>();
  return {
    has: ({ key }) => known.has(key),
    trusted({ key }) {
      const cached = known.get(key);
      return cached && cached.until > Date.now() ? cached.owner : undefined;
    },
    note({ key }, owner) {
      known.delete(key);
      if (!owner) return;
      const until = Math.min(Date.now() + CACHE_MS, owner.expiresAt?.getTime() ?? Infinity);
      known.set(key, { owner, until });
      const [oldest = key] = known.keys();
      if (known.size > MAX_CACHED) known.delete(oldest);
    },
  };
}
