import type { Middleware } from 'koa';
import { AppError } from '../../errors';
import type { SignatureAccess } from '../route';
import type { RequestState } from '../state';

/**
 * Makes the guards of routes whose callers sign the body. A signature that has not even the form of one is refused
 * before the body is read; then `read` runs, then the signature is verified.
 */
export function requireSignature<Deps>(deps: Deps) {
  return (
    { header, form, isSigned }: SignatureAccess<Deps>,
    read: Middleware<RequestState>,
  ): readonly Middleware<RequestState>[] => [
    (ctx, next) => {
      if (!form.test(ctx.get(header))) throw refused();
      return next();
    },
    read,
    async (ctx, next) => {
      // `read` has left the bytes there: the route declares a signed body.
      const body = ctx.state.body as Buffer;
      const { params } = ctx as typeof ctx & { params: Readonly<Record<string, string>> };
      if (!(await isSigned(deps, { params, body, signature: ctx.get(header) }))) throw refused();
      await next();
    },
  ];
}

function refused(): AppError {
  return new AppError('unauthorized', 'Unauthorized.');
}
