import type { Middleware } from 'koa';
import { inactiveUser } from '../../users/guards';
import type { RequestState } from '../state';

/**
 * Refuses tokens of inactive users: a deactivated one with 409, a deleted one with 409, or 404 where a store is
 * created. Before the body is read (docs/api.md, "Every request").
 */
export function requireUser(
  deletedUser: 'user_not_active' | 'user_missing',
): Middleware<RequestState> {
  return (ctx, next) => {
    const { userState } = ctx.state.caller;
    if (userState === 'active') return next();
    throw inactiveUser(userState, deletedUser);
  };
}
