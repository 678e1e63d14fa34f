import { storeListSchema } from '../../../schemas/lists';
import type { Sql } from '../../platform/db/client';
import { searchStores } from '../sql/store-search';
import { findStore, listStores } from '../sql/store-views';
import { answerOf, pageAnswer, ref } from '../../contract/answer-schemas';
import { STORE } from '../../contract/examples';
import { PAGE_FIELDS, QUERY_FIELDS, STORE_FOREIGN, STORE_MISSING } from '../../contract/refusals';
import { parseRowId, viewerOf, findSeenPathStore, storeNotFound } from '../../users/guards';
import { pageOf, readPage } from '../../http/paging';
import { noBody } from '../../http/body/request-body';
import { noQuery, query, type Route, route, token } from '../../http/route';
import { renderStore } from '../store-answers';

export interface StoreReadDeps {
  readonly sql: Sql;
}

export const STORE_READ_ROUTES: readonly Route<StoreReadDeps>[] = [
  route({
    id: 'listStores',
    method: 'get',
    path: '/api/v1/store',
    parameters: {},
    group: 'Stores',
    summary: 'List stores',
    description:
      'The stores that you have, newest first; operators see all. With `q` only the store with this id, or those that a delivery app calls so; if there is none, those with each word of it somewhere in their name, case and accents aside.',
    access: token(),
    slow: 'searches',
    idempotency: 'none',
    query: query(storeListSchema),
    body: noBody,
    answers: [
      {
        status: 200,
        schema: pageAnswer(ref('Store')),
        examples: { page: { message: 'Success.', data: [STORE], next_cursor: null } },
      },
      { status: 422, fields: { ...QUERY_FIELDS, ...PAGE_FIELDS } },
    ],
    async handle({ sql }: StoreReadDeps, { ctx, query: given }) {
      const page = readPage(parseRowId, given);
      const viewer = viewerOf(ctx.state.caller);
      const rows =
        given.q === undefined
          ? await listStores(sql, viewer, page.wanted)
          : await searchStores(sql, viewer, given.q, page.wanted);
      ctx.body = pageOf(rows, page, (row) => String(row.storeId), renderStore);
    },
  }),
  route({
    id: 'getStore',
    method: 'get',
    path: '/api/v1/store/{store_id}',
    parameters: { store_id: '1' },
    group: 'Stores',
    summary: 'See one store',
    access: token(),
    idempotency: 'none',
    query: noQuery,
    body: noBody,
    answers: [
      {
        status: 200,
        schema: answerOf(ref('Store')),
        examples: { store: { message: 'Success.', data: STORE } },
      },
      STORE_MISSING,
      STORE_FOREIGN,
    ],
    async handle({ sql }: StoreReadDeps, { ctx, params }) {
      const { storeId } = await findSeenPathStore(sql, ctx.state.caller, params.store_id);
      const store = await findStore(sql, storeId);
      if (!store) throw storeNotFound();
      ctx.body = { message: 'Success.', data: renderStore(store) };
    },
  }),
];
