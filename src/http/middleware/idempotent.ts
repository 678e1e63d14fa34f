import { hash, randomUUID } from 'node:crypto';
import type { Middleware } from 'koa';
import type { Sql } from '../../platform/db/client';
import {
  type HeldKey,
  keepAnswer,
  keptAnswerContext,
  releaseKey,
  takeKey,
} from '../sql/idempotency';
import { AppError } from '../../platform/errors';
import type { SecretBox } from '../../platform/crypto/secrets';
import { hasPermission, requirePermission } from '../../users/guards';
import { keyLost } from '../idempotency-key-lost';
import type { KeyKeeper } from '../idempotency-leases';
import type { Route } from '../route';
import type { RequestContext, RequestState } from '../state';
import { answerError } from './errors';

const KEY = /^[\x21-\x7e]{1,255}$/;
/** Answers that are stored and repeated; one that a retry may change is not stored. */
const KEPT_STATUSES = new Set([403, 404, 409, 422]);
const KEPT_HEADERS = ['Content-Type', 'Location', 'X-Upload-Id', 'X-Error-Source'] as const;

interface KeptAnswer {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface IdempotentDeps {
  readonly sql: Sql;
  readonly secrets: SecretBox;
  readonly keyKeeper: KeyKeeper;
}

/**
 * Makes a request repeatable: the first answer to an `Idempotency-Key` is stored for 24 h and replayed byte for byte.
 * Must follow `readBody`: requests are compared by the SHA-256 of their bodies and queries.
 */
export function idempotent(
  { sql, secrets, keyKeeper }: IdempotentDeps,
  route: Pick<Route<never>, 'access' | 'checkShape'>,
): Middleware<RequestState> {
  return async (ctx, next) => {
    ctx.state.heldKey = null;
    ctx.state.boundId = null;
    const key = ctx.get('idempotency-key');
    if (ctx.headers['idempotency-key'] === undefined) return next();
    if (!KEY.test(key)) throw new AppError('invalid_header', 'The idempotency key is not valid.');
    const heldKey: HeldKey = {
      userId: ctx.state.caller.userId,
      method: ctx.method,
      path: ctx.path,
      key,
      owner: randomUUID(),
    };
    const taken = await takeKey(sql, heldKey, requestSha256(ctx));
    switch (taken.kind) {
      case 'other_body':
        throw new AppError(
          'idempotency_conflict',
          'The idempotency key was already used with a different request.',
        );
      case 'running':
        throw keyLost();
      case 'kept':
        if (taken.status !== 403) requireStillPermitted(ctx, route);
        return replay(
          ctx,
          taken.status,
          secrets.decrypt(taken.answerEncrypted, keptAnswerContext(heldKey)),
        );
      case 'held':
        ctx.state.heldKey = heldKey;
        ctx.state.boundId = taken.boundId;
        return runHolding(ctx, heldKey, next);
    }
  };

  async function runHolding(
    ctx: RequestContext,
    heldKey: HeldKey,
    next: () => Promise<unknown>,
  ): Promise<void> {
    const letGo = keyKeeper.keep(heldKey);
    let isLost = false;
    try {
      await next();
    } catch (error) {
      if (!(error instanceof AppError)) {
        await releaseKey(sql, heldKey);
        throw error;
      }
      // "Still in progress" is true only now.
      isLost = error.code === 'idempotency_running';
      answerError(ctx, error);
    } finally {
      letGo();
    }
    const kept = (ctx.status >= 200 && ctx.status < 300) || KEPT_STATUSES.has(ctx.status);
    if (!kept || isLost || isUnheard(ctx)) return releaseKey(sql, heldKey);
    const answer = JSON.stringify(fixAnswer(ctx));
    await keepAnswer(sql, heldKey, ctx.status, secrets.encrypt(answer, keptAnswerContext(heldKey)));
  }
}

/** Of the body and the query: `skip_unchanged=true` is another request than the same menu without it. */
function requestSha256({ state, querystring }: RequestContext): string {
  const { bodySha256 } = state;
  return querystring === '' ? bodySha256 : hash('sha256', `${bodySha256}?${querystring}`, 'hex');
}

/** The caller hung up while the outcome was open. A retry finds the row by the key, and waits for its outcome again. */
function isUnheard({ status, state }: RequestContext): boolean {
  return status === 202 && state.hasLeft === true;
}

/**
 * A stored answer may contain a secret, so it is only for users who may make the request now (docs/api.md).
 * `requireUser` has already stopped inactive users; here a user who has lost the permission gets the 403. A stored
 * 422 is an exception: the shape is checked before the permission, so the same 422 would be answered now.
 */
function requireStillPermitted(
  ctx: RequestContext,
  { access, checkShape }: Pick<Route<never>, 'access' | 'checkShape'>,
): void {
  if (access.kind !== 'token' || access.permission === null) return;
  if (hasPermission(ctx.state.caller, access.permission)) return;
  try {
    checkShape(ctx);
  } catch (error) {
    if (error instanceof AppError) return;
    throw error;
  }
  requirePermission(ctx.state.caller, access.permission);
}

/** Renders the body now, so that the stored bytes are the sent ones. */
function fixAnswer(ctx: RequestContext): KeptAnswer {
  const body = typeof ctx.body === 'string' ? ctx.body : JSON.stringify(ctx.body);
  const type = ctx.response.get('Content-Type');
  ctx.body = body;
  if (type) ctx.set('Content-Type', type);
  const headers: Record<string, string> = {};
  for (const name of KEPT_HEADERS) {
    const value = ctx.response.get(name);
    if (value) headers[name] = value;
  }
  return { headers, body };
}

function replay(ctx: RequestContext, status: number, answer: string): void {
  // Written by `fixAnswer` and sealed since then.
  const { headers, body } = JSON.parse(answer) as KeptAnswer;
  ctx.status = status;
  ctx.body = body;
  ctx.set({ ...headers, 'Idempotency-Replayed': 'true' });
}
