import { createHash } from 'node:crypto';
import type { Middleware } from 'koa';
import { asciiLower } from '../../platform/text/ascii-case';
import { AppError } from '../../platform/errors';
import type { BodyBudget } from '../body-budget';
import type { BodyReader } from '../body-reader';
import { type BodyRoom, declaredLength, readBytes, readGzip, serviceBusy } from '../read-bytes';
import type { BodyRule, JsonBody } from '../request-body';
import type { WorkBound } from '../work-bound';
import { letBodyGo, type RequestContext, type RequestState } from '../state';

const JSON_TYPE = /^application\/(?:[\w.+-]+\+)?json[ \t]*(?:;|$)/i;
const FORM_TYPE = /^application\/x-www-form-urlencoded[ \t]*(?:;|$)/i;
const EMPTY_SHA256 = createHash('sha256').digest('hex');

/** What a process allows to bodies. */
export interface BodyBounds {
  readonly budget: BodyBudget;
  readonly reader: BodyReader;
  readonly work: WorkBound;
}

/**
 * Reads the body that the route declares, and lets it go with the answer at the latest: content type 415, declared
 * length 413, no room in the process 503, then size 413 and what is wrong inside 400, and 503 again when the process
 * works on as many requests as it may: not before, or clients that send slowly could take all places. Our own reader, as the bytes
 * themselves are needed (hash of the body, raw JSON that must not be re-rendered).
 */
export function readBody(bounds: BodyBounds, rule: BodyRule<unknown>): Middleware<RequestState> {
  return async (ctx, next) => {
    let leave: (() => void) | undefined;
    try {
      // In a function of its own: what it holds would be held while the request waits for its outcome.
      await receive(ctx, bounds, rule);
      if (rule.kind === 'json' || rule.kind === 'signed') {
        leave = enterWork(ctx, bounds.work);
        ctx.state.onRowWritten = leave;
      }
      await next();
    } finally {
      leave?.();
      letBodyGo(ctx);
    }
  };
}

function enterWork(ctx: RequestContext, work: WorkBound): () => void {
  const leave = work.enter();
  if (leave) return leave;
  // Past capacity there may be thousands of such lines a second, which say the same; the bound's metric counts them.
  ctx.state.isProbe = true;
  throw serviceBusy();
}

async function receive(
  ctx: RequestContext,
  bounds: BodyBounds,
  rule: BodyRule<unknown>,
): Promise<void> {
  switch (rule.kind) {
    case 'none':
    case 'empty':
      ctx.state.bodySha256 = EMPTY_SHA256;
      return;
    case 'signed':
      ctx.state.body = await readBytes(ctx.req, makeRoom(ctx, bounds, rule.maxBytes));
      return;
    case 'form':
      ctx.state.body = await receiveForm(ctx, bounds, rule.maxBytes);
      return;
    case 'json':
      await receiveJson(ctx, bounds, rule);
  }
}

async function receiveForm(
  ctx: RequestContext,
  bounds: BodyBounds,
  maxBytes: number,
): Promise<URLSearchParams> {
  if (!FORM_TYPE.test(ctx.get('content-type'))) {
    throw new AppError(
      'unsupported_media_type',
      'The content type must be application/x-www-form-urlencoded.',
    );
  }
  const bytes = await readBytes(ctx.req, makeRoom(ctx, bounds, maxBytes));
  return new URLSearchParams(bytes.toString('utf8'));
}

async function receiveJson(
  ctx: RequestContext,
  bounds: BodyBounds,
  rule: JsonBody<unknown>,
): Promise<void> {
  // Not `ctx.is`, which knows no type of a request without a body.
  if (!JSON_TYPE.test(ctx.get('content-type'))) {
    throw new AppError('unsupported_media_type', 'The content type must be application/json.');
  }
  const read = decoderFor(ctx.get('content-encoding'));
  const bytes = await read(ctx.req, makeRoom(ctx, bounds, rule.maxBytes));
  const reading = await bounds.reader.read(rule, bytes);
  ctx.state.body = reading;
  ctx.state.bodySha256 = reading.sha256;
}

/** Room for what the request declares; throws the 413 of too much, and the 503 when there is no room now. */
function makeRoom(ctx: RequestContext, { budget }: BodyBounds, maxBytes: number): BodyRoom {
  const reservation = budget.reserve(declaredLength(ctx.req, maxBytes));
  if (!reservation) throw serviceBusy();
  ctx.state.bodyMemory = reservation;
  // In HTTP/1.0 nobody understands the invitation.
  if (ctx.get('expect') !== '' && ctx.req.httpVersion === '1.1') ctx.res.writeContinue();
  return { maxBytes, reservation };
}

function decoderFor(encoding: string): typeof readBytes {
  switch (asciiLower(encoding)) {
    case '':
    case 'identity':
      return readBytes;
    case 'gzip':
    case 'x-gzip':
      return readGzip;
    default:
      throw new AppError('unsupported_media_type', 'The content encoding must be gzip or none.');
  }
}
