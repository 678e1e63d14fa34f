import { STATUS_CODES } from 'node:http';
import type { Middleware } from 'koa';
import { asciiLower } from '../../platform/text/ascii-case';
import { AppError, type ErrorDetail } from '../../platform/errors';
import { PostgresAwayError } from '../../platform/db/connection/postgres-away-error';
import { shownValue } from '../../platform/validation/shown-value';
import type { RequestContext, RequestState } from '../state';

const UNEXPLAINED = 'Something went wrong.';

/**
 * The only place where an error becomes an answer. Anything but an `AppError` or an outage of Postgres is a bug: 500,
 * logged, unexplained.
 */
export const errors: Middleware<RequestState> = async (ctx, next) => {
  try {
    await next();
  } catch (error) {
    // For an outage of Postgres the code is logged, not a stack for each request.
    if (error instanceof PostgresAwayError) ctx.state.logged['postgres_error'] = error.code;
    else if (!(error instanceof AppError)) ctx.state.logged['err'] = error;
    answerError(ctx, error);
  }
};

export function answerError(ctx: RequestContext, error: unknown): void {
  const known = knownError(error);
  noteRefusal(ctx, known);
  ctx.status = known.status;
  ctx.set({ ...known.options.headers });
  if (known.code === 'unauthorized') {
    // A plain string, for problem+json clients too.
    ctx.set('WWW-Authenticate', 'Bearer');
    ctx.type = 'text/plain; charset=utf-8';
    ctx.body = known.message;
  } else if (wantsProblem(ctx.get('accept'))) {
    ctx.type = 'application/problem+json; charset=utf-8';
    ctx.body = JSON.stringify(problem(known));
  } else if (known.options.fields) {
    ctx.body = known.options.fields;
  } else {
    ctx.body = plainBody(known);
  }
}

/** The common form of an answer that explains an error. */
export function plainBody({ sentences, options }: AppError) {
  return { message: sentences, data: options.data ?? null };
}

/** Notes for the request's log line what it was refused for. */
export function noteRefusal({ state }: Pick<RequestContext, 'state'>, { code }: AppError): void {
  state.logged['error_code'] = code;
  if (code === 'service_busy') state.isReportedElsewhere = true;
}

/** Without Postgres nothing can be accepted or looked up, but the same request may soon succeed. */
function knownError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  if (error instanceof PostgresAwayError)
    return new AppError('unavailable', UNEXPLAINED, { headers: { 'Retry-After': '5' } });
  return new AppError('internal', UNEXPLAINED);
}

/**
 * Whether the client names problem+json explicitly, with at least the weight of plain JSON. A client that lists both
 * equally gets JSON for success and problem+json for errors.
 */
function wantsProblem(accept: string): boolean {
  const wanted = new Map(accept.split(',').map(mediaRange));
  const weight = wanted.get('application/problem+json') ?? 0;
  return weight > 0 && weight >= (wanted.get('application/json') ?? 0);
}

/** A media range of an Accept header and its weight. */
function mediaRange(text: string): [type: string, weight: number] {
  const [type = '', ...parameters] = text.split(';').map((part) => asciiLower(part.trim()));
  const weight = parameters.find((each) => each.startsWith('q='));
  return [type, weight === undefined ? 1 : Number(weight.slice(2)) || 0];
}

/**
 * RFC 9457, with the messages also as `errors`, each with a stable code and a pointer: empty if it has no place.
 * `omitted` counts those that are not listed.
 */
function problem(error: AppError) {
  const { omitted = [] } = error.options;
  const details: readonly ErrorDetail[] =
    error.options.details ?? error.sentences.map((detail) => ({ code: error.code, detail }));
  return {
    type: 'about:blank',
    title: STATUS_CODES[error.status],
    status: error.status,
    detail: details[0]?.detail ?? error.sentences[0],
    code: error.code,
    errors: details.map(({ code, pointer = '', value, ...rest }) => ({
      code,
      pointer,
      ...rest,
      value: shownValue(value),
    })),
    ...(omitted.length > 0 && { omitted }),
    ...(error.options.data === undefined ? {} : { data: error.options.data }),
  };
}
