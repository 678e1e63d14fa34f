import type { Middleware } from 'koa';
import type { UserId } from '../../platform/ids';
import type { RequestState } from '../state';
import type { Turns } from '../turns';

/** Lets the request wait for a turn of its user, before its body is read. */
export function ownTurn(turns: Turns<UserId>): Middleware<RequestState> {
  return (ctx, next) => turns.take(ctx.state.caller.userId, ctx.res, next);
}
