import type { Middleware } from 'koa';
import type { UserId } from '../../platform/ids';
import type { RequestTurns } from '../request-turns';
import type { RequestState } from '../state';

/** Lets the request wait for a turn of its user, before its body is read. */
export function ownTurn(turns: RequestTurns<UserId>): Middleware<RequestState> {
  return (ctx, next) => turns.take(ctx.state.caller.userId, ctx.res, next);
}
