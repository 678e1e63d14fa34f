import type { Middleware } from 'koa';
import type { FindOwner } from '../../users/find-owner';
import type { TokenOwner } from '../../users/sql/users';
import { type HashedToken, type KnownTokens, tokenOf } from '../admission/known-tokens';
import type { RefuseAttempt } from '../admission/refused-attempts';
import type { RequestContext, RequestState } from '../state';
import { type CallerKey, callerKeyOf } from '../admission/caller-key';
import type { RequestPermits } from '../admission/request-permits';

export interface AuthenticateDeps {
  readonly findOwner: FindOwner;
  readonly known: KnownTokens;
  readonly strangers: RequestPermits<CallerKey>;
  readonly refuse: RefuseAttempt;
}

/**
 * Finds the user of the bearer token. Missing, malformed, unknown, expired and revoked tokens look alike and take the
 * same work: one hash and, unless cached, one query. `refuse` limits the bad tokens of an address; a good one always
 * passes: one that was good before waits for no stranger.
 */
export function authenticate({
  findOwner,
  known,
  strangers,
  refuse,
}: AuthenticateDeps): Middleware<RequestState> {
  async function lookUp(token: HashedToken): Promise<TokenOwner | undefined> {
    const owner = await findOwner(token.sha256);
    known.note(token, owner);
    return owner;
  }

  async function ownerOf(ctx: RequestContext): Promise<TokenOwner | undefined> {
    const token = tokenOf(ctx.req);
    const owner = known.trusted(token);
    if (owner) return owner;
    if (known.has(token)) return lookUp(token);
    // Another request with the token may have been looked up before.
    return strangers.run(
      callerKeyOf(ctx),
      async () => known.trusted(token) ?? lookUp(token),
      ctx.res,
    );
  }

  return async (ctx, next) => {
    const owner = await ownerOf(ctx);
    if (!owner) throw refuse(ctx.state.address);
    ctx.state.caller = owner;
    await next();
  };
}
