import type { Middleware } from 'koa';
import type { FindOwner } from '../../users/find-owner';
import type { TokenOwner } from '../../users/sql/users';
import { TOKEN_PATTERN } from '../../users/token-pattern';
import { tokenSha256 } from '../../users/token-sha256';
import type { RefuseAttempt } from '../refused-attempts';
import type { RequestContext, RequestState } from '../state';
import type { StrangerTurns } from '../stranger-turns';

/** A revocation takes up to this long; without the cache every request would cost a query (2.7× on the hot path). */
const CACHE_MS = 5_000;
const MAX_CACHED = 10_000;

const BEARER = new RegExp(`^Bearer +(${TOKEN_PATTERN}) *$`, 'i');

export interface AuthenticateDeps {
  readonly findOwner: FindOwner;
  readonly strangers: StrangerTurns;
  readonly refuse: RefuseAttempt;
}

/**
 * Finds the user of the bearer token. Missing, malformed, unknown, expired and revoked tokens look alike and take the
 * same work: one hash and, unless cached, one query. `refuse` limits the bad tokens of an address; a good one always
 * passes: one that was good before waits for no stranger.
 */
export function authenticate({
  findOwner,
  strangers,
  refuse,
}: AuthenticateDeps): Middleware<RequestState> {
  /** The tokens that were good when they were last looked up, which is trusted for a while. */
  const known = new Map<string, { owner: TokenOwner; until: number }>();

  async function lookUp(sha256: Buffer, key: string): Promise<TokenOwner | undefined> {
    const owner = await findOwner(sha256);
    // Unknown tokens are not cached, so that a token works as soon as it is created.
    known.delete(key);
    if (owner) remember(key, owner);
    return owner;
  }

  function remember(key: string, owner: TokenOwner): void {
    const until = Math.min(Date.now() + CACHE_MS, owner.expiresAt?.getTime() ?? Infinity);
    known.set(key, { owner, until });
    const [oldest = key] = known.keys();
    if (known.size > MAX_CACHED) known.delete(oldest);
  }

  function trusted(key: string): TokenOwner | undefined {
    const cached = known.get(key);
    return cached && cached.until > Date.now() ? cached.owner : undefined;
  }

  async function ownerOf(ctx: RequestContext, token: string): Promise<TokenOwner | undefined> {
    const sha256 = tokenSha256(token);
    const key = sha256.toString('base64');
    const owner = trusted(key);
    if (owner) return owner;
    if (known.has(key)) return lookUp(sha256, key);
    // Another request with the token may have had the turn before.
    return strangers.take(ctx, async () => trusted(key) ?? lookUp(sha256, key));
  }

  return async (ctx, next) => {
    const token = BEARER.exec(ctx.get('authorization'))?.[1] ?? '';
    const owner = await ownerOf(ctx, token);
    if (!owner) throw refuse(ctx.state.address);
    ctx.state.caller = owner;
    await next();
  };
}
