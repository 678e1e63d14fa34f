import type { Middleware } from 'koa';
import type { BoundPlaces } from '../../platform/places';
import type { RefuseAttempt } from '../refused-attempts';
import { type CallerKey, callerKeyOf, inPlace } from '../request-places';
import type { SignatureAccess } from '../route';
import type { RequestState } from '../state';
import type { StrangerTurns } from '../stranger-turns';

/** The limits of a process for requests whose callers sign the body. */
export interface SignatureBounds {
  /** In whose turns signatures are verified. */
  readonly strangers: StrangerTurns;
  /** Only a request whose signature holds takes a place: strangers would take all. */
  readonly work: BoundPlaces<CallerKey>;
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
      const isGood = await strangers.take(ctx, () => isSigned(deps, { params, body, signature }));
      if (!isGood) throw refuse(ctx.state.address);
      await inPlace(ctx, work.enter(callerKeyOf(ctx)), next);
    },
  ];
}
