import { liveMenuListSchema } from '../../../schemas/lists';
import type { Sql } from '../../platform/db/client';
import { listLiveMenus, type LiveMenu } from '../sql/live-menus';
import { pageAnswer, ref } from '../../contract/answer-schemas';
import { LIVE_MENU } from '../../contract/examples';
import { PAGE_FIELDS, STORE_FOREIGN, STORE_MISSING } from '../../contract/refusals';
import { parseRowId, findSeenPathStore } from '../../users/guards';
import { pageOf, readPage } from '../../http/paging';
import { noBody } from '../../http/body/request-body';
import { query, type Route, route, token } from '../../http/route';

export interface LiveMenuDeps {
  readonly sql: Sql;
}

export const LIVE_MENU_ROUTES: readonly Route<LiveMenuDeps>[] = [
  route({
    id: 'listLiveMenus',
    method: 'get',
    path: '/api/v1/menus/live',
    parameters: {},
    group: 'Menus',
    summary: 'List the live menus',
    description:
      'The menus that the delivery apps of a store show: one entry for each app that the store is connected to, the newest first.',
    access: token(),
    idempotency: 'none',
    query: query(liveMenuListSchema),
    body: noBody,
    answers: [
      {
        status: 200,
        schema: pageAnswer(ref('LiveMenu')),
        examples: { page: { message: 'Success.', data: [LIVE_MENU], next_cursor: null } },
      },
      STORE_MISSING,
      STORE_FOREIGN,
      {
        status: 422,
        fields: {
          store_id: ['The store id field is required.', 'The selected store id is invalid.'],
          ...PAGE_FIELDS,
        },
      },
    ],
    async handle({ sql }: LiveMenuDeps, { ctx, query: given }) {
      const page = readPage(parseRowId, given);
      const { storeId } = await findSeenPathStore(sql, ctx.state.caller, String(given.store_id));
      const rows = await listLiveMenus(sql, storeId, page.wanted);
      ctx.body = pageOf(rows, page, (row) => String(row.integrationId), renderLiveMenu);
    },
  }),
];

/** The live menu in one delivery app, as the API returns it. */
export function renderLiveMenu(live: LiveMenu) {
  return {
    integration_id: String(live.integrationId),
    upload_id: live.uploadId,
    live_since: live.liveSince,
    drift: {
      state: live.driftState,
      checked_at: live.driftCheckedAt,
      changes_count: live.driftChangesCount,
    },
  };
}
