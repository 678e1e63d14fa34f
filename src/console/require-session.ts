import type { Middleware } from 'koa';
import type { SecretBox } from '../platform/crypto/secrets';
import type { Sql } from '../platform/db/client';
import { AppError } from '../platform/errors';
import type { MultipartForm } from '../http/body/multipart';
import type { RequestContext, RequestState } from '../http/state';
import { findMayAct, type MayAct } from './own-things';
import { findSessionOwner } from './sql/sessions';
import { type ConsoleSession, isOwnForm, openSession, SESSION_COOKIE } from './session';
import { parseUrl } from '../platform/text/parse-url';

export interface SessionDeps {
  readonly sql: Sql;
  readonly secrets: SecretBox;
}

/** What `requireSession` leaves for the pages. */
interface SessionState {
  session: ConsoleSession;
  mayAct: MayAct;
}

/** The session found by `requireSession`. */
export function sessionOf(ctx: RequestContext): ConsoleSession {
  return (ctx.state as unknown as SessionState).session;
}

/** What the user of the session may act on. */
export function mayActOf(ctx: RequestContext): MayAct {
  return (ctx.state as unknown as SessionState).mayAct;
}

/** Admits users who signed in with a token that is still valid, and are active; redirects all others to the sign-in page. */
export function requireSession({ sql, secrets }: SessionDeps): Middleware<RequestState> {
  return async (ctx, next) => {
    const session = openSession(secrets, ctx.cookies.get(SESSION_COOKIE));
    const owner = session && (await findSessionOwner(sql, session.id));
    if (owner?.userState !== 'active') {
      ctx.status = 303;
      ctx.set('Location', signInFor(ctx));
      return;
    }
    ctx.state.caller = owner;
    const mayAct = await findMayAct(sql, owner);
    Object.assign(ctx.state, { session, mayAct });
    await next();
  };
}

/** The page to sign in, which leads to the page that was asked for. An action is not repeated. */
function signInFor({ method, url }: Pick<RequestContext, 'method' | 'url'>): string {
  const next = method === 'GET' ? pageAfterSignIn(url) : undefined;
  return next === undefined
    ? '/console/sign-in'
    : `/console/sign-in?${new URLSearchParams({ next }).toString()}`;
}

const LONGEST_NEXT = 2_048;
const HERE = 'http://console.invalid';

/**
 * The page under `/console/` that a text names, with its query; undefined for anything else, since a link to the sign-in
 * page can be made by anybody and must not lead away.
 */
export function pageAfterSignIn(text: string | null | undefined): string | undefined {
  if (!text?.startsWith('/console/') || text.length > LONGEST_NEXT) return undefined;
  if (text.includes('//') || text.includes('\\')) return undefined;
  const url = parseUrl(text, HERE);
  if (url === null) return undefined;
  // As a browser reads it: without dot segments and control characters.
  const { origin, pathname, search } = url;
  return origin === HERE && pathname.startsWith('/console/') && !pathname.includes('//')
    ? `${pathname}${search}`
    : undefined;
}

/** Refuses forms submitted from other sites; runs after the body was read. */
export const ownFormsOnly: Middleware<RequestState> = (ctx, next) => {
  const form = ctx.state.body as Pick<URLSearchParams | MultipartForm, 'get'>;
  if (isFromAnotherSite(ctx) || !isOwnForm(sessionOf(ctx), form.get('form_token'))) {
    throw new AppError('permission_denied', 'The form was not made by this page.');
  }
  return next();
};

/**
 * Judged by the browser's headers; without them, the form's token must be enough. No script of a page can set
 * `Sec-Fetch-Site`, which browsers send over https; where it is, `Host` does not count, as a proxy may have changed it.
 */
export function isFromAnotherSite(ctx: Pick<RequestContext, 'get'>): boolean {
  const site = ctx.get('sec-fetch-site');
  if (site !== '') return site !== 'same-origin';
  const origin = ctx.get('origin');
  return origin !== '' && hostOf(origin) !== ctx.get('host');
}

function hostOf(origin: string): string {
  try {
    return new URL(origin).host;
  } catch {
    return '';
  }
}
