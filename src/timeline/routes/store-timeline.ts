import { timelineSchema } from '../../../schemas/lists';
import { pageAnswer, ref } from '../../contract/answer-schemas';
import { TIMELINE_ENTRY } from '../../contract/timeline-schema';
import { PAGE_FIELDS, STORE_FOREIGN, STORE_MISSING } from '../../contract/refusals';
import { noBody } from '../../http/body/request-body';
import { timeOf } from '../../http/made-by';
import { pageOf, readPage } from '../../http/paging';
import { query, type Route, route, token } from '../../http/route';
import type { Sql } from '../../platform/db/client';
import { findSeenPathStore, viewerOf } from '../../users/guards';
import { readTimeline, type TimelineEntry } from '../read-timeline';
import { listTimelineKeys } from '../sql/timeline';
import { readKey, type TimelineKey, writeKey } from '../timeline';

export interface StoreTimelineDeps {
  readonly sql: Sql;
}

export const STORE_TIMELINE_ROUTE: Route<StoreTimelineDeps> = route({
  id: 'storeTimeline',
  method: 'get',
  path: '/api/v1/store/{store_id}/timeline',
  parameters: { store_id: '1' },
  group: 'Stores',
  summary: 'See what happened to a store',
  description:
    'Newest first: uploads, changes of what is off sale, pauses, rollouts, live menus that differ from what was sent, and webhooks about the store that failed. ' +
    'Of another user, `by` is null, except for operators and `support`.',
  access: token(),
  slow: 'searches',
  idempotency: 'none',
  query: query(timelineSchema),
  body: noBody,
  answers: [
    {
      status: 200,
      schema: pageAnswer(ref('TimelineEntry')),
      examples: { page: { message: 'Success.', data: [TIMELINE_ENTRY], next_cursor: null } },
    },
    STORE_MISSING,
    STORE_FOREIGN,
    {
      status: 422,
      fields: {
        since: ['The since format is invalid.'],
        until: ['The until format is invalid.'],
        ...PAGE_FIELDS,
      },
    },
  ],
  async handle({ sql }: StoreTimelineDeps, { ctx, params, query: given }) {
    const page = readPage(readKey, given);
    const { caller } = ctx.state;
    const access = await findSeenPathStore(sql, caller, params.store_id);
    const keys = await listTimelineKeys(sql, {
      storeId: access.storeId,
      ...timeOf(given),
      ...page.wanted,
    });
    const { data: shown, next_cursor } = pageOf(keys, page, writeKey, (key) => key);
    const entries = await readTimeline(sql, viewerOf(caller), access, shown as TimelineKey[]);
    ctx.body = { message: 'Success.', data: entries.map(renderEntry), next_cursor };
  },
});

function renderEntry({ key, title, state, by, url }: TimelineEntry) {
  return { at: new Date(Math.floor(key.atUs / 1_000)), kind: key.kind, title, state, by, url };
}
