import type { Sql } from '../../platform/db/client';
import { findUserName, PERMISSIONS } from '../../users/sql/users';
import { answerOf } from '../../contract/answer-schemas';
import { record } from '../../contract/answers';
import { noBody } from '../body/request-body';
import { noQuery, type Route, route, token } from '../route';

export interface MeDeps {
  readonly sql: Sql;
}

const ME = record({
  user_id: { type: 'string' },
  name: { type: 'string' },
  permissions: { type: 'array', items: { type: 'string', enum: PERMISSIONS } },
  token: record({
    token_id: { type: 'string' },
    expires_at: {
      type: ['string', 'null'],
      format: 'date-time',
      description: 'Null: it does not expire.',
    },
  }),
});

export const ME_ROUTE: Route<MeDeps> = route({
  id: 'me',
  method: 'get',
  path: '/api/v1/me',
  parameters: {},
  group: 'Account',
  summary: 'See who you are',
  description: 'The user that the token belongs to, and the token without its secret.',
  access: token(),
  idempotency: 'none',
  query: noQuery,
  body: noBody,
  answers: [
    {
      status: 200,
      schema: answerOf(ME),
      examples: {
        me: {
          message: 'Success.',
          data: {
            user_id: 'usr_01a1fe1f790b9b594112a9ef590f17f0',
            name: 'Integrator',
            permissions: ['inventory:create'],
            token: { token_id: 'tok_01a1fe1f790b9b594112a9ef590f17f0', expires_at: null },
          },
        },
      },
    },
  ],
  async handle({ sql }: MeDeps, { ctx }) {
    const { userId, tokenId, permissions, expiresAt } = ctx.state.caller;
    ctx.body = {
      message: 'Success.',
      data: {
        user_id: userId,
        name: await findUserName(sql, userId),
        permissions,
        token: { token_id: tokenId, expires_at: expiresAt },
      },
    };
  },
});
