import type { Middleware } from 'koa';
import type { Bound, BoundName, Bounds } from '../../platform/config/bounds';
import type { UserId } from '../../platform/ids';
import { createTurnsByKey, type TurnOptions, type TurnsByKey } from '../../platform/turns-by-key';
import { serviceBusy } from '../../platform/service-busy';
import type { RequestContext, RequestState } from '../state';
import { callerGone, whenClosed } from '../when-closed';

/** Turns of users, and the bound that counts who gets none. */
export interface UserTurns {
  readonly turns: TurnsByKey<UserId>;
  readonly bound: Bound;
}

/** Turns of users, with their bound: as many of one user as have a turn or wait for one. */
export function createUserTurns(name: BoundName, options: TurnOptions, bounds: Bounds): UserTurns {
  const turns = createTurnsByKey<UserId>(options);
  const limit = options.atOnce + options.mostWaiting;
  return { turns, bound: bounds.declare(name, { limit, used: () => turns.most() }) };
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
