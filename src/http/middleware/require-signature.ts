import type { Middleware } from 'koa';
import type { BoundPermits } from '../../platform/admission/permits';
import type { RefuseAttempt } from '../admission/refused-attempts';
import { type CallerKey, callerKeyOf } from '../admission/caller-key';
import { type RequestPermits, withPermit } from '../admission/request-permits';
import type { SignatureAccess } from '../route';
import type { RequestState } from '../state';

/** The limits of a process for requests whose callers sign the body. */
export interface SignatureBounds {
  /** With whose permits signatures are verified. */
  readonly strangers: RequestPermits<CallerKey>;
  /** Only a request whose signature holds takes a permit: strangers would take all. */
  readonly work: BoundPermits;
  readonly refuse: RefuseAttempt;
}

/**
 * Makes the guards of routes whose callers sign the body. A malformed signature is refused before the body is read;
 * then `read` runs, then the signature is verified. `refuse` limits the bad signatures of an address; a good one
 * always passes, so the body must be read first.
 */
export function requireSignature<Deps>(deps: Deps, { strangers, work, refuse }: SignatureBounds) {
  return (
    { header, form, isSigned }: SignatureAccess<Deps>,
    read: Middleware<RequestState>,
  ): readonly Middleware<RequestState>[] => [
    (ctx, next) => {
      if (!form.test(ctx.get(header))) throw refuse(ctx.state.address);
      return next();
    },
    read,
    async (ctx, next) => {
      // `read` has put the bytes there, because the route declares a signed body.
      const body = ctx.state.body as Buffer;
      const { params } = ctx as typeof ctx & { params: Readonly<Record<string, string>> };
      const signature = ctx.get(header);
      const key = callerKeyOf(ctx);
      const check = () => isSigned(deps, { params, body, signature });
      if (!(await strangers.run(key, check, ctx.res))) throw refuse(ctx.state.address);
      await withPermit(ctx, work.take(key), next);
    },
  ];
}
