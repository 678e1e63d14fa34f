import { serviceBusy } from '../../platform/service-busy';
import type { Middleware } from 'koa';
import type { Bound } from '../../platform/config/bounds';
import type { UserId } from '../../platform/ids';
import type { TurnsByKey } from '../../platform/turns-by-key';
import type { RequestContext, RequestState } from '../state';
import { callerGone, whenClosed } from '../when-closed';

/** Turns of users, and the bound that counts who gets none. */
export interface UserTurns {
  readonly turns: TurnsByKey<UserId>;
  readonly bound: Bound;
}

/**
 * Lets the request wait for a turn of its user, before its body is read. Throws the 503 if there is none in time. A
 * caller who leaves waits no longer, and gets no turn.
 */
export function ownTurn({ turns, bound }: UserTurns): Middleware<RequestState> {
  return async (ctx, next) => {
    const end = await enter(turns, ctx);
    if (ctx.res.closed) {
      end?.();
      throw callerGone();
    }
    if (!end) {
      bound.hit();
      throw serviceBusy();
    }
    try {
      await next();
    } finally {
      end();
    }
  };
}

/** Waits for a turn while the caller does. */
async function enter(
  turns: TurnsByKey<UserId>,
  { res, state }: Pick<RequestContext, 'res' | 'state'>,
): ReturnType<TurnsByKey<UserId>['enter']> {
  const gone = new AbortController();
  const leave = () => gone.abort();
  whenClosed(res, leave);
  const end = await turns.enter(state.caller.userId, gone.signal);
  res.off('close', leave);
  return end;
}
