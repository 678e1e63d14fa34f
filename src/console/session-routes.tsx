import type { SecretBox } from '../platform/crypto/secrets';
import type { Sql } from '../platform/db/client';
import { AppError } from '../platform/errors';
import type { RefuseAttempt } from '../http/admission/refused-attempts';
import { formBody, noBody } from '../http/body/request-body';
import { noQuery, PUBLIC, route, type Route, SESSION } from '../http/route';
import type { RequestContext } from '../http/state';
import { type CallerKey, callerKeyOf } from '../http/admission/caller-key';
import type { RequestPermits } from '../http/admission/request-permits';
import type { FindOwner } from '../users/find-owner';
import { tokenSha256 } from '../users/token-sha256';
import { answerPage } from './page';
import { SignInPage } from './pages/sign-in';
import { anyQuery } from './console-route';
import { isFromAnotherSite, pageAfterSignIn, sessionOf } from './require-session';
import {
  type ConsoleSession,
  newSession,
  sealSession,
  SESSION_COOKIE,
  SESSION_SECONDS,
} from './session';
import { endSession, insertSession } from './sql/sessions';

export interface SessionRouteDeps {
  readonly sql: Sql;
  readonly findOwner: FindOwner;
  /** With whose permits a token is looked up, together with those of the API. */
  readonly strangers: RequestPermits<CallerKey>;
  readonly secrets: SecretBox;
  /** Limits bad tokens per address, together with those of the API. */
  readonly refuseToken: RefuseAttempt;
}

/** What all pages have in common that are open to everybody. */
export const OPEN = {
  group: null,
  access: PUBLIC,
  parameters: {},
  query: noQuery,
  idempotency: 'none',
} as const;
export const HTML = {
  status: 200,
  mediaType: 'text/html',
  schema: { type: 'string' },
  examples: { page: '<!doctype html>' },
} as const;
export const SENT_AWAY = {
  status: 303,
  schema: { type: 'string' },
  examples: { empty: '' },
} as const;

/** The API says only `Unauthorized.`; here a person reads it, who may not know where tokens come from. */
const TOKEN_REFUSED =
  'The token is unknown, expired or revoked. An operator makes one: admin token create --user usr_…';

/** Secure where the browser uses https: the proxy that ends its TLS speaks HTTP with us, so only `Origin` tells. */
function cookiesOf(ctx: RequestContext): RequestContext['cookies'] {
  if (ctx.get('origin').startsWith('https:')) ctx.cookies.secure = true;
  return ctx.cookies;
}

/** Throws the 403 of a form that another site made. */
export function requireOwnSite(ctx: RequestContext): void {
  if (!isFromAnotherSite(ctx)) return;
  throw new AppError('permission_denied', 'The form was not made by this page.');
}

/** Gives the browser a session that is kept already, and sends it to `next`. */
export function beginSession(
  ctx: RequestContext,
  secrets: SecretBox,
  session: ConsoleSession,
  next = '/console',
): void {
  cookiesOf(ctx).set(SESSION_COOKIE, sealSession(secrets, session), {
    path: '/console',
    httpOnly: true,
    sameSite: 'strict',
    maxAge: SESSION_SECONDS * 1_000,
    overwrite: true,
  });
  ctx.status = 303;
  ctx.set('Location', next);
}

/** Signing in by a token, and out. */
export const SESSION_ROUTES: readonly Route<SessionRouteDeps>[] = [
  route({
    ...OPEN,
    id: 'console/sign-in',
    method: 'get',
    path: '/console/sign-in',
    summary: 'Where one signs in',
    query: anyQuery,
    body: noBody,
    answers: [HTML],
    handle: (_deps: SessionRouteDeps, { ctx, query }) =>
      answerPage(ctx, <SignInPage problem={null} next={pageAfterSignIn(query['next'])} />),
  }),
  route({
    ...OPEN,
    id: 'console/begin',
    method: 'post',
    path: '/console/sign-in',
    summary: 'Signs in with a token',
    body: formBody,
    answers: [
      SENT_AWAY,
      { status: 401, sentences: [TOKEN_REFUSED] },
      { status: 429, sentences: ['Too many requests.'] },
    ],
    async handle(deps: SessionRouteDeps, { ctx, body: form }) {
      const { sql, findOwner, strangers, secrets, refuseToken } = deps;
      requireOwnSite(ctx);
      const next = pageAfterSignIn(form.get('next'));
      const token = (form.get('token') ?? '').trim().replace(/^Bearer +/i, '');
      const sha256 = tokenSha256(token);
      const owner = await strangers.run(callerKeyOf(ctx), () => findOwner(sha256), ctx.res);
      if (owner?.userState !== 'active') {
        const refusal = refuseToken(ctx.state.address);
        ctx.set({ ...refusal.options.headers });
        const problem = refusal.status === 401 ? TOKEN_REFUSED : refusal.sentences.join(' ');
        answerPage(ctx, <SignInPage problem={problem} next={next} />, refusal.status);
        return;
      }
      const session = newSession();
      const { userId, tokenId } = owner;
      await insertSession(sql, { id: session.id, userId, tokenId, seconds: SESSION_SECONDS });
      beginSession(ctx, secrets, session, next);
    },
  }),
  route({
    ...OPEN,
    access: SESSION,
    id: 'console/end',
    method: 'post',
    path: '/console/sign-out',
    summary: 'Signs out',
    body: formBody,
    answers: [SENT_AWAY],
    async handle({ sql }: SessionRouteDeps, { ctx }) {
      await endSession(sql, sessionOf(ctx).id);
      cookiesOf(ctx).set(SESSION_COOKIE, null, { path: '/console', sameSite: 'strict' });
      ctx.status = 303;
      ctx.set('Location', '/console/sign-in');
    },
  }),
];
