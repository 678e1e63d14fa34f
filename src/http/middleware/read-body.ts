import { hash } from 'node:crypto';
import type { Middleware } from 'koa';
import type { BodyReader } from '../body/body-reader';
import { encodingOf, isWork, lengthOf } from '../body/body-head';
import type { ArrivalWatch } from '../admission/least-speed';
import { boundaryOf, type MultipartForm, readMultipart } from '../body/multipart';
import { type BodyLimits, readBytes, readGzip } from '../body/read-bytes';
import type { BodyRule, FormBody, JsonBody } from '../body/request-body';
import type { BoundPermits, BoundShares } from '../../platform/admission/permits';
import { serviceBusy } from '../../platform/admission/service-busy';
import { type CallerKey, callerKeyOf } from '../admission/caller-key';
import { type RequestPermits, withPermit } from '../admission/request-permits';
import { checkHead } from './require-right-head';
import { letBodyGo, type RequestContext, type RequestState } from '../state';

const EMPTY_SHA256 = hash('sha256', '', 'hex');
/** Bytes: blanks and braces. */
const LONGEST_NOTHING = 64;

/** The limits of a process for bodies. */
export interface BodyBounds {
  readonly budget: BoundShares;
  readonly reader: BodyReader;
  readonly work: BoundPermits;
  readonly arrivals: ArrivalWatch;
  readonly inflating: RequestPermits<CallerKey>;
  /** For requests without a body. */
  readonly reading: BoundPermits;
}

/**
 * Reads the body that the route declares, and releases it with the answer at the latest. In order: content type 415,
 * declared length 413, no memory left in the process 503, then size 413, none left any more 503 and invalid content
 * 400, and 503 again when the process is at its limit of requests, with a body or without. That limit comes last,
 * because clients that send slowly could otherwise take all permits; of a signed body after its signature. We read the
 * body ourselves because we need its bytes (for the hash, and for raw JSON that must not be re-rendered).
 */
export function readBody(bounds: BodyBounds, rule: BodyRule<unknown>): Middleware<RequestState> {
  const { work, reading } = bounds;
  return async (ctx, next) => {
    try {
      // A separate function, because its variables would stay in memory while the request waits for its outcome.
      await receive(ctx, bounds, rule);
      if (rule.kind === 'signed') await next();
      else if (isWork(rule)) await withPermit(ctx, work.take(callerKeyOf(ctx)), next);
      // The small forms of the console are few.
      else if (rule.kind === 'form') await next();
      else await withPermit(ctx, reading.take(callerKeyOf(ctx)), next);
    } finally {
      letBodyGo(ctx);
    }
  };
}

async function receive(
  ctx: RequestContext,
  bounds: BodyBounds,
  rule: BodyRule<unknown>,
): Promise<void> {
  checkHead(rule, ctx.req.headers);
  switch (rule.kind) {
    case 'none':
      ctx.state.bodySha256 = EMPTY_SHA256;
      return;
    case 'empty':
      ctx.state.bodySha256 = sha256OfUnused(
        await readBytes(ctx.req, reserve(ctx, bounds, rule.maxBytes)),
      );
      return;
    case 'signed':
      ctx.state.body = await readBytes(ctx.req, reserve(ctx, bounds, rule.maxBytes));
      return;
    case 'form':
      ctx.state.body = await receiveForm(ctx, bounds, rule);
      return;
    case 'json':
      await receiveJson(ctx, bounds, rule);
  }
}

/** Nothing of it is used, but an idempotency key belongs to one request; `{}` is as nothing. */
function sha256OfUnused(bytes: Buffer): string {
  const isNothing = bytes.length <= LONGEST_NOTHING && /^\s*(?:\{\s*\}\s*)?$/.test(String(bytes));
  return isNothing ? EMPTY_SHA256 : hash('sha256', bytes, 'hex');
}

async function receiveForm(
  ctx: RequestContext,
  bounds: BodyBounds,
  rule: FormBody<unknown>,
): Promise<URLSearchParams | MultipartForm> {
  const boundary = rule.encoding === 'multipart' ? boundaryOf(ctx.get('content-type')) : undefined;
  const bytes = await readBytes(ctx.req, reserve(ctx, bounds, rule.maxBytes));
  return boundary === undefined
    ? new URLSearchParams(bytes.toString('utf8'))
    : readMultipart(bytes, boundary);
}

async function receiveJson(
  ctx: RequestContext,
  bounds: BodyBounds,
  rule: JsonBody<unknown>,
): Promise<void> {
  const key = callerKeyOf(ctx);
  const limits = reserve(ctx, bounds, rule.maxBytes);
  const bytes =
    encodingOf(ctx.get('content-encoding')) === 'gzip'
      ? await readGzip(ctx.req, limits, (work) => bounds.inflating.run(key, work, ctx.res))
      : await readBytes(ctx.req, limits);
  const reading = await bounds.reader.read(rule, bytes, key);
  ctx.state.body = reading;
  ctx.state.bodySha256 = reading.sha256;
}

/** Throws the 503 if the declared length is more than what is left now. */
function reserve(
  ctx: RequestContext,
  { budget, arrivals }: BodyBounds,
  maxBytes: number,
): BodyLimits {
  const key = callerKeyOf(ctx);
  const reservation = budget.take(key, lengthOf(ctx.req.headers));
  if (!reservation) throw serviceBusy();
  // It takes its memory as it arrives: 26 connections that only declared 10 MB would keep everybody out for a minute.
  reservation.resize(0);
  ctx.state.bodyMemory = reservation;
  // HTTP/1.0 clients do not understand `100 Continue`.
  if (ctx.get('expect') !== '' && ctx.req.httpVersion === '1.1') ctx.res.writeContinue();
  return { maxBytes, reservation, isPressed: () => budget.isPressedBy(key), arrivals };
}
