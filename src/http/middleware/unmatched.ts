import type Router from '@koa/router';
import type { Middleware } from 'koa';
import { AppError } from '../../platform/errors';
import type { RequestState } from '../state';

/** Runs after the routes, before any of their guards: 405 if the path has other methods, otherwise 404. */
export const unmatched: Middleware<RequestState, { matched?: Router['stack'] }> = (ctx) => {
  const methods = new Set((ctx.matched ?? []).flatMap((layer) => layer.methods));
  if (methods.size === 0) throw new AppError('not_found', 'The resource was not found.');
  throw new AppError('method_not_allowed', 'The method is not allowed.', {
    headers: { Allow: [...methods].toSorted().join(', ') },
  });
};
