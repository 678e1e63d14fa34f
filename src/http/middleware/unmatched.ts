import type Router from '@koa/router';
import type { Middleware } from 'koa';
import { AppError } from '../../platform/errors';
import type { RequestState } from '../state';

/** What the router leaves in a context. */
export interface MatchedPaths {
  /** The routes whose paths match, whatever their methods. */
  matched?: Router['stack'];
}

/** Runs after the routes, before any of their guards: 405 if the path has other methods, otherwise 404. */
export const unmatched: Middleware<RequestState, MatchedPaths> = (ctx) => {
  const meant = meantBy(ctx);
  if (meant.length === 0) throw new AppError('not_found', 'The resource was not found.');
  const methods = new Set(meant.flatMap((layer) => layer.methods));
  throw new AppError('method_not_allowed', 'The method is not allowed.', {
    headers: { Allow: [...methods].toSorted().join(', ') },
  });
};

/** Of the routes whose paths match, those with the fewest parameters: no id is `create`. */
export function meantBy({ matched = [] }: MatchedPaths): Router['stack'] {
  const fewest = Math.min(...matched.map((layer) => layer.paramNames.length));
  return matched.filter((layer) => layer.paramNames.length === fewest);
}
