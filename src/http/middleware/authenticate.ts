import type { Middleware } from 'koa';
import type { FindOwner } from '../../users/find-owner';
import type { TokenOwner } from '../../users/sql/users';
import { TOKEN_PATTERN } from '../../users/token-pattern';
import { tokenSha256 } from '../../users/token-sha256';
import type { RefuseAttempt } from '../refused-attempts';
import type { RequestState } from '../state';

/** A revocation takes up to this long; without the cache every request would cost a query (2.7× on the hot path). */
const CACHE_MS = 5_000;
const MAX_CACHED = 10_000;

const BEARER = new RegExp(`^Bearer +(${TOKEN_PATTERN}) *$`, 'i');

/**
 * Finds the user of the bearer token. Missing, malformed, unknown, expired and revoked tokens look alike and take the
 * same work: one hash and, unless cached, one query. `refuse` limits the bad tokens of an address; a good one always
 * passes.
 */
export function authenticate(
  findOwner: FindOwner,
  refuse: RefuseAttempt,
): Middleware<RequestState> {
  const cache = new Map<string, { owner: TokenOwner | undefined; until: number }>();

  async function lookUp(token: string): Promise<TokenOwner | undefined> {
    const sha256 = tokenSha256(token);
    const key = sha256.toString('base64');
    const cached = cache.get(key);
    if (cached && cached.until > Date.now()) return cached.owner;
    const owner = await findOwner(sha256);
    if (cache.size >= MAX_CACHED) cache.clear();
    const until = Math.min(Date.now() + CACHE_MS, owner?.expiresAt?.getTime() ?? Infinity);
    // Unknown tokens are not cached, so that a token works as soon as it is created.
    if (owner) cache.set(key, { owner, until });
    else cache.delete(key);
    return owner;
  }

  return async (ctx, next) => {
    const token = BEARER.exec(ctx.get('authorization'))?.[1] ?? '';
    const owner = await lookUp(token);
    if (!owner) throw refuse(ctx.state.address);
    ctx.state.caller = owner;
    await next();
  };
}
