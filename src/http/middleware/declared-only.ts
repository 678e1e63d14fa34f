import type { Middleware } from 'koa';
import { AppError } from '../../platform/errors';
import type { RequestState } from '../state';

/** Turns every answer that no declared route gave into a 404, so that middleware cannot open a route by itself. */
export const declaredOnly: Middleware<RequestState> = async (ctx, next) => {
  await next();
  if (!ctx.state.route) throw new AppError('not_found', 'The resource was not found.');
};
