import { pageSchema } from '../../../schemas/lists';
import { type WaitingChangeDeps, whyChangesWait } from '../../availability/read-change-waits';
import type { WaitingFor } from '../../contract/why-it-waits';
import { listStoreIntegrations, type StoreIntegration } from '../sql/store-integrations';
import { pageAnswer, ref } from '../../contract/answer-schemas';
import { UPLOAD_ID } from '../../contract/examples';
import { PAGE_REFUSALS, STORE_FOREIGN, STORE_MISSING } from '../../contract/refusals';
import { parseRowId, findSeenPathStore } from '../../users/guards';
import { pageOf, readPage } from '../../http/paging';
import { noBody } from '../../http/body/request-body';
import { query, type Route, route, token } from '../../http/route';

export const STORE_INTEGRATIONS_ROUTE: Route<WaitingChangeDeps> = route({
  id: 'listStoreIntegrations',
  method: 'get',
  path: '/api/v1/store/{store_id}/integrations',
  parameters: { store_id: '1' },
  group: 'Stores',
  summary: 'List the delivery apps of a store',
  description:
    'The delivery apps that the store is connected to, with the upload that is live there, and whether the store is paused.',
  access: token(),
  idempotency: 'none',
  query: query(pageSchema),
  body: noBody,
  answers: [
    {
      status: 200,
      schema: pageAnswer(ref('StoreIntegration')),
      examples: {
        page: {
          message: 'Success.',
          data: [
            {
              integration_id: '2',
              name: 'App B',
              app: 'app-b',
              active: true,
              has_token: true,
              delivery_id: 'store-1',
              live_upload_id: UPLOAD_ID,
              paused: null,
            },
          ],
          next_cursor: null,
        },
      },
    },
    STORE_MISSING,
    STORE_FOREIGN,
    PAGE_REFUSALS,
  ],
  async handle(deps: WaitingChangeDeps, { ctx, params, query: given }) {
    const { sql } = deps;
    const page = readPage(parseRowId, given);
    const { storeId } = await findSeenPathStore(sql, ctx.state.caller, params.store_id);
    const rows = await listStoreIntegrations(sql, storeId, page.wanted);
    const pauses = rows.flatMap(({ paused }) =>
      paused ? [{ changeId: paused.change_id, state: paused.state }] : [],
    );
    const waits = await whyChangesWait(deps, pauses);
    ctx.body = pageOf(
      rows,
      page,
      (row) => String(row.integrationId),
      (row) => renderIntegration(row, waits.get(row.paused?.change_id ?? null)),
    );
  },
});

function renderIntegration(integration: StoreIntegration, waitingFor: WaitingFor | undefined) {
  return {
    integration_id: String(integration.integrationId),
    name: integration.name,
    app: integration.app,
    active: integration.active,
    has_token: integration.hasToken,
    delivery_id: integration.appStoreId,
    live_upload_id: integration.liveUploadId,
    paused: renderPause(integration.paused, waitingFor),
  };
}

function renderPause(paused: StoreIntegration['paused'], waitingFor: WaitingFor | undefined) {
  if (!paused) return null;
  const { since, until, reason, state } = paused;
  return {
    since: new Date(since).toISOString(),
    until: until === null ? null : new Date(until).toISOString(),
    reason,
    state,
    waiting_for: waitingFor ?? null,
  };
}
