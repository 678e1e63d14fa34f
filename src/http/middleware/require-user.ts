import type { Middleware } from 'koa';
import { AppError } from '../../platform/errors';
import type { RequestState } from '../state';

/**
 * Refuses tokens of inactive users: a deactivated one with 409, a deleted one with 409, or 404 where a store is
 * created. Before the body is read (docs/api.md, "Every request").
 */
export function requireUser(
  deletedUser: 'user_not_active' | 'user_missing',
): Middleware<RequestState> {
  return (ctx, next) => {
    switch (ctx.state.caller.userState) {
      case 'active':
        return next();
      case 'deactivated':
        throw new AppError('user_not_active', 'User not authenticated.');
      case 'deleted':
        throw new AppError(deletedUser, 'User not found.');
    }
  };
}
