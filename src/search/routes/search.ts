import { searchSchema } from '../../../schemas/lists';
import { answerOf, ref } from '../../contract/answer-schemas';
import { FOUND_EXAMPLE } from '../../contract/found';
import { QUERY_FIELDS } from '../../contract/refusals';
import { noBody } from '../../http/body/request-body';
import { query, type Route, route, token } from '../../http/route';
import type { Sql } from '../../platform/db/client';
import { viewerOf } from '../../users/guards';
import { find, MOST_FOUND } from '../find';

export interface SearchDeps {
  readonly sql: Sql;
}

export const SEARCH_ROUTE: Route<SearchDeps> = route({
  id: 'search',
  method: 'get',
  path: '/api/v1/search',
  parameters: {},
  group: 'Account',
  summary: 'Find anything by its id or name',
  description: `What you may see, the closest first, at most ${MOST_FOUND}: uploads, deliveries (also by their \`webhook-id\`), rollouts, stores and inventory systems by their id; what a request made, by its \`X-Request-Id\`; stores by what delivery apps call them; stores and inventory systems by words of their name; items that are off sale by their external id.`,
  access: token(),
  slow: 'searches',
  idempotency: 'none',
  query: query(searchSchema),
  body: noBody,
  answers: [
    {
      status: 200,
      schema: answerOf({ type: 'array', items: ref('Found'), maxItems: MOST_FOUND }),
      examples: { found: { message: 'Success.', data: [FOUND_EXAMPLE] } },
    },
    { status: 422, fields: QUERY_FIELDS },
  ],
  async handle({ sql }: SearchDeps, { ctx, query: { q } }) {
    ctx.body = { message: 'Success.', data: await find(sql, viewerOf(ctx.state.caller), q) };
  },
});
