import { randomUUID } from 'node:crypto';
import type { Middleware } from 'koa';
import type { Log } from '../../platform/observe/log';
import type { AddressOf } from '../client-address';
import { sourceOf } from '../error-source';
import type { RequestState } from '../state';
import { whenClosed } from '../when-closed';

const REQUEST_ID = /^[\w-]{1,64}$/;

/** The client's request id if it is well-formed, otherwise a new one. */
export function requestIdOf(given: string | readonly string[] | undefined): string {
  return typeof given === 'string' && REQUEST_ID.test(given) ? given : randomUUID();
}

/**
 * Sets the request's id (the client's, if it is well-formed) and address, and writes its single wide log line at the
 * end.
 */
export function requestLog(log: Log, addressOf: AddressOf): Middleware<RequestState> {
  return async (ctx, next) => {
    ctx.state.requestId = requestIdOf(ctx.get('x-request-id'));
    ctx.state.address = addressOf(ctx.req);
    ctx.state.logged = {};
    const { res } = ctx;
    const onCallerGone = (listener: () => void): void =>
      whenClosed(res, () => {
        ctx.state.hasLeft = true;
        listener();
      });
    // A function written behind the `=` would be put among old memory, and keep the request there: decision 0034.
    ctx.state.onCallerGone = onCallerGone;
    res.setHeader('X-Request-Id', ctx.state.requestId);
    const startedAt = performance.now();
    try {
      await next();
    } finally {
      const line = {
        request_id: ctx.state.requestId,
        method: ctx.method,
        path: ctx.path,
        status: ctx.status,
        address: ctx.state.address,
        duration_ms: Math.round(performance.now() - startedAt),
        user_id: ctx.state.caller?.userId,
        ...ctx.state.logged,
      };
      if (ctx.state.isReportedElsewhere) log.debug(line);
      else if (ctx.status < 500) log.info(line);
      // 503 means that something was away or full, and an error of a POS is not ours.
      else if (ctx.status === 503 || sourceOf(ctx) === 'pos') log.warn(line);
      else log.error(line);
    }
  };
}
