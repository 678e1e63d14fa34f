import type { Middleware } from 'koa';
import { inSpan } from '../../platform/observe/tracing';
import type { RequestState } from '../state';

/** W3C: version, trace, span and flags. Anything else starts a new trace. */
const TRACE_PARENT = /^[\da-f]{2}-[\da-f]{32}-[\da-f]{16}-[\da-f]{2}$/;

/** Probes and scrapes are not traced. */
const TRACED = /^\/(?:api|callbacks)\//;

/** Continues the caller's trace, or starts one. */
export const traced: Middleware<RequestState> = async (ctx, next) => {
  if (!TRACED.test(ctx.path)) {
    await next();
    return;
  }
  const given = ctx.get('traceparent');
  const parent = TRACE_PARENT.test(given) ? given : null;
  const attributes = { 'http.request.method': ctx.method };
  await inSpan(ctx.method, { kind: 'server', parent, attributes }, async (span) => {
    await next();
    const { route, requestId } = ctx.state;
    span.updateName(`${ctx.method} ${route?.path ?? 'unmatched'}`);
    span.setAttributes({
      'http.route': route?.path ?? 'unmatched',
      'http.response.status_code': ctx.status,
      request_id: requestId,
    });
  });
};
