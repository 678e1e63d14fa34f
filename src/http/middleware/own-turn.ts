import type { Middleware } from 'koa';
import type { Bound } from '../../platform/config/bounds';
import type { UserId } from '../../platform/ids';
import type { TurnsByKey } from '../../platform/turns-by-key';
import { serviceBusy } from '../body/read-bytes';
import type { RequestState } from '../state';

/** Turns of users, and the bound that counts who gets none. */
export interface UserTurns {
  readonly turns: TurnsByKey<UserId>;
  readonly bound: Bound;
}

/** Lets the request wait for a turn of its user, before its body is read. Throws the 503 if there is none in time. */
export function ownTurn({ turns, bound }: UserTurns): Middleware<RequestState> {
  return async (ctx, next) => {
    const end = await turns.enter(ctx.state.caller.userId);
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
