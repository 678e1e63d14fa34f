import type { Middleware } from 'koa';
import { AppError } from '../../platform/errors';
import type { RequestState } from '../state';

/** Makes a 404 of every answer that no declared route has given: a middleware that answers by itself opens nothing. */
export const declaredOnly: Middleware<RequestState> = async (ctx, next) => {
  await next();
  if (!ctx.state.route) throw new AppError('not_found', 'The resource was not found.');
};
