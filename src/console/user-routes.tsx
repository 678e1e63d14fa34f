import { formBody } from '../http/body/request-body';
import { noQuery, pathParameter, route, type Route } from '../http/route';
import type { Config } from '../platform/config/config';
import type { Sql } from '../platform/db/client';
import { AppError } from '../platform/errors';
import { isOperator, permissionDenied } from '../users/guards';
import { makeSignInLink } from '../users/sign-in-link';
import { listUsers } from '../users/sql/users';
import { COMMON, type ConsoleDeps, consolePage, frameOf, orProblem, PAGE } from './console-route';
import { answerPage, pathOf } from './page';
import { MadeLinkPage, UsersPage } from './pages/users';

export interface UserPageDeps extends ConsoleDeps {
  readonly sql: Sql;
  readonly settings: Pick<Config, 'PUBLIC_URL'>;
}

const PAGE_SIZE = 50;
const SECTION = 'users';

/** The users, for who sees everything; operators make sign-in links for them, where `PUBLIC_URL` is set. */
export const USER_PAGES: readonly Route<UserPageDeps>[] = [
  consolePage({
    id: 'users',
    path: '/console/users',
    section: SECTION,
    summary: 'Users',
    async show({ sql, settings }: UserPageDeps, { ctx, filter, frame, viewer }) {
      if (!viewer.seesAll) throw permissionDenied();
      const { name = null, cursor = null } = filter;
      const limit = PAGE_SIZE + 1;
      const found = await listUsers(sql, { part: name, before: cursor, limit });
      const users = found.slice(0, PAGE_SIZE);
      const nextCursor = found.length < limit ? null : users.at(-1)?.userId;
      const canLink = isOperator(ctx.state.caller) && settings.PUBLIC_URL !== null;
      return <UsersPage frame={frame('Users')} {...{ users, filter, nextCursor, canLink }} />;
    },
  }),
  route({
    ...COMMON,
    id: 'console/make-sign-in-link',
    method: 'post',
    path: '/console/users/{user_id}/sign-in-link',
    parameters: { user_id: 'usr_1' },
    summary: 'Make a sign-in link for a user',
    query: noQuery,
    body: formBody,
    answers: [PAGE],
    async handle({ sql, settings: { PUBLIC_URL: publicUrl } }: UserPageDeps, { ctx, params }) {
      const back = pathOf(SECTION);
      await orProblem(ctx, frameOf(ctx, SECTION, 'Not done'), back, async () => {
        const { caller } = ctx.state;
        if (!isOperator(caller)) throw permissionDenied();
        if (publicUrl === null)
          throw new AppError('not_found', 'The setting PUBLIC_URL is missing.');
        const userId = pathParameter(params, 'user_id');
        const link = await makeSignInLink(sql, { publicUrl, userId, madeBy: caller.userId });
        if (!link) throw new AppError('not_found', 'The user does not exist or is not active.');
        answerPage(ctx, <MadeLinkPage frame={frameOf(ctx, SECTION, 'Sign-in link')} link={link} />);
      });
    },
  }),
];
