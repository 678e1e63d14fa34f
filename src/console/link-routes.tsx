import { formBody, noBody } from '../http/body/request-body';
import { type Route, route } from '../http/route';
import type { RequestContext } from '../http/state';
import { callerKeyOf } from '../http/admission/caller-key';
import { SIGN_IN_LINK_PATH } from '../users/sign-in-link';
import { findSignInLink, type SignInLink, useSignInLink } from '../users/sql/sign-in-links';
import { tokenSha256 } from '../users/token-sha256';
import { anyQuery } from './console-route';
import { answerPage } from './page';
import { NoSignInLinkPage, SignInLinkPage } from './pages/sign-in-link';
import {
  beginSession,
  HTML,
  OPEN,
  requireOwnSite,
  SENT_AWAY,
  type SessionRouteDeps,
} from './session-routes';
import { newSession, SESSION_SECONDS } from './session';

const UNKNOWN = 'This sign-in link is not known. Ask an operator for a new one.';
const OVER = {
  used: 'This sign-in link was used already. Ask an operator for a new one.',
  expired: 'This sign-in link has expired. Ask an operator for a new one.',
} as const;
const REFUSALS = [
  { status: 404, sentences: [UNKNOWN] },
  { status: 410, sentences: Object.values(OVER) },
  { status: 429, sentences: ['Too many requests.'] },
] as const;

/** Signing in by a link that an operator made. Opening it changes nothing. */
export const LINK_ROUTES: readonly Route<SessionRouteDeps>[] = [
  route({
    ...OPEN,
    id: 'console/sign-in-link',
    method: 'get',
    path: SIGN_IN_LINK_PATH,
    summary: 'Asks whether to sign in by this link',
    query: anyQuery,
    body: noBody,
    answers: [HTML, ...REFUSALS],
    async handle(deps: SessionRouteDeps, { ctx, query: { secret = '' } }) {
      const link = await findLink(deps, ctx, secret);
      if (link?.state === 'good') {
        answerLinkPage(ctx, <SignInLinkPage name={link.name} secret={secret} />, 200);
      } else {
        refuseLink(deps, ctx, link);
      }
    },
  }),
  route({
    ...OPEN,
    id: 'console/begin-by-link',
    method: 'post',
    path: SIGN_IN_LINK_PATH,
    summary: 'Signs in by a link, which it uses up',
    body: formBody,
    answers: [SENT_AWAY, ...REFUSALS],
    async handle(deps: SessionRouteDeps, { ctx, body: form }) {
      requireOwnSite(ctx);
      const secret = form.get('secret') ?? '';
      const session = newSession();
      const kept = { id: session.id, seconds: SESSION_SECONDS };
      const isUsed = await deps.strangers.run(
        callerKeyOf(ctx),
        () => useSignInLink(deps.sql, tokenSha256(secret), kept),
        ctx.res,
      );
      if (isUsed) beginSession(ctx, deps.secrets, session);
      else refuseLink(deps, ctx, await findLink(deps, ctx, secret));
    },
  }),
];

function findLink(
  { sql, strangers }: SessionRouteDeps,
  ctx: RequestContext,
  secret: string,
): Promise<SignInLink | undefined> {
  return strangers.run(callerKeyOf(ctx), () => findSignInLink(sql, tokenSha256(secret)), ctx.res);
}

/** Says what is the matter with a link. Unknown ones count as failed authentications of the address. */
function refuseLink(
  { refuseToken }: SessionRouteDeps,
  ctx: RequestContext,
  link: SignInLink | undefined,
): void {
  if (link) {
    const problem = OVER[link.state === 'used' ? 'used' : 'expired'];
    answerLinkPage(ctx, <NoSignInLinkPage problem={problem} />, 410);
    return;
  }
  const refusal = refuseToken(ctx.state.address);
  ctx.set({ ...refusal.options.headers });
  const isTooMany = refusal.status === 429;
  const problem = isTooMany ? refusal.sentences.join(' ') : UNKNOWN;
  answerLinkPage(ctx, <NoSignInLinkPage problem={problem} />, isTooMany ? 429 : 404);
}

/**
 * A page whose own address is a secret: as `Referer` only its origin is sent. Not `no-referrer`, with which browsers
 * leave `Origin` out of the form's request too.
 */
function answerLinkPage(...[ctx, page, status]: Required<Parameters<typeof answerPage>>): void {
  answerPage(ctx, page, status);
  ctx.set('Referrer-Policy', 'strict-origin');
}
