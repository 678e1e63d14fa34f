import { hash } from 'node:crypto';
import type { Middleware } from 'koa';
import type { BodyReader } from '../body/body-reader';
import { encodingOf, isWork, lengthOf } from '../body/body-head';
import type { ArrivalWatch } from '../body/least-speed';
import { boundaryOf, type MultipartForm, readMultipart } from '../body/multipart';
import { type BodyRoom, readBytes, readGzip } from '../body/read-bytes';
import type { BodyRule, FormBody, JsonBody } from '../body/request-body';
import type { BoundPlaces, BoundShares } from '../../platform/places';
import { serviceBusy } from '../../platform/service-busy';
import { type CallerKey, callerKeyOf, inPlace } from '../request-places';
import type { RequestTurns } from '../request-turns';
import { checkHead } from './require-right-head';
import { letBodyGo, type RequestContext, type RequestState } from '../state';

const EMPTY_SHA256 = hash('sha256', '', 'hex');
/** Bytes: blanks and braces. */
const LONGEST_NOTHING = 64;

/** The limits of a process for bodies. */
export interface BodyBounds {
  readonly budget: BoundShares<CallerKey>;
  readonly reader: BodyReader;
  readonly work: BoundPlaces<CallerKey>;
  readonly arrivals: ArrivalWatch;
  readonly inflating: RequestTurns<CallerKey>;
  /** For requests without a body. */
  readonly reading: BoundPlaces<CallerKey>;
}

/**
 * Reads the body that the route declares, and releases it with the answer at the latest. In order: content type 415,
 * declared length 413, no room in the process 503, then size 413, no room any more 503 and invalid content 400, and 503
 * again when the process is at its limit of requests, with a body or without. That limit comes last, because clients
 * that send slowly could otherwise take all places; of a signed body after its signature. We read the body ourselves
 * because we need its bytes (for the hash, and for raw JSON that must not be re-rendered).
 */
export function readBody(bounds: BodyBounds, rule: BodyRule<unknown>): Middleware<RequestState> {
  const { work, reading } = bounds;
  return async (ctx, next) => {
    try {
      // A separate function, because its variables would stay in memory while the request waits for its outcome.
      await receive(ctx, bounds, rule);
      if (rule.kind === 'signed') await next();
      else if (isWork(rule)) await inPlace(ctx, work.enter(callerKeyOf(ctx)), next);
      // The small forms of the console are few.
      else if (rule.kind === 'form') await next();
      else await inPlace(ctx, reading.enter(callerKeyOf(ctx)), next);
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
        await readBytes(ctx.req, makeRoom(ctx, bounds, rule.maxBytes)),
      );
      return;
    case 'signed':
      ctx.state.body = await readBytes(ctx.req, makeRoom(ctx, bounds, rule.maxBytes));
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
  const bytes = await readBytes(ctx.req, makeRoom(ctx, bounds, rule.maxBytes));
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
  const room = makeRoom(ctx, bounds, rule.maxBytes);
  const bytes =
    encodingOf(ctx.get('content-encoding')) === 'gzip'
      ? await readGzip(ctx.req, room, (work) => bounds.inflating.take(key, ctx.res, work))
      : await readBytes(ctx.req, room);
  const reading = await bounds.reader.read(rule, bytes, key);
  ctx.state.body = reading;
  ctx.state.bodySha256 = reading.sha256;
}

/** Throws the 503 if there is no room for the declared length now. */
function makeRoom(
  ctx: RequestContext,
  { budget, arrivals }: BodyBounds,
  maxBytes: number,
): BodyRoom {
  const key = callerKeyOf(ctx);
  const reservation = budget.take(key, lengthOf(ctx.req.headers));
  if (!reservation) throw serviceBusy();
  // It takes its room as it arrives: 26 connections that only declared 10 MB would keep everybody out for a minute.
  reservation.resize(0);
  ctx.state.bodyMemory = reservation;
  // HTTP/1.0 clients do not understand `100 Continue`.
  if (ctx.get('expect') !== '' && ctx.req.httpVersion === '1.1') ctx.res.writeContinue();
  return { maxBytes, reservation, isPressed: () => budget.isPressedBy(key), arrivals };
}
