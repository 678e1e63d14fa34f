import { publicationFilter } from '../../uploads/publication-filter';
import { unavailableListSchema } from '../../../schemas/availability';
import { noBody } from '../../http/body/request-body';
import { pageOf, readPage } from '../../http/paging';
import { noQuery, query, type Route, route, token } from '../../http/route';
import { answerOf, pageAnswer, ref } from '../../contract/answer-schemas';
import { CHANGE, CHANGE_ID, UNAVAILABLE_ITEM } from '../../contract/examples';
import { PAGE_FIELDS, STORE_MISSING } from '../../contract/refusals';
import { limitSentences } from '../../menus/rules/problems-in-answers';
import { AppError } from '../../platform/errors';
import { isId } from '../../platform/ids';
import { parseRowId, storeNotFound, viewerOf } from '../../users/guards';
import type { WaitingFor } from '../../contract/why-it-waits';
import { type WaitingChangeDeps, whyChangesWait } from '../read-change-waits';
import { hadStore } from '../../users/sql/store-access';
import { reasonOf } from '../availability-answers';
import {
  type ChangeView,
  findChange,
  listUnavailableEntries,
  type UnavailableEntry,
} from '../sql/views';

export type AvailabilityReadDeps = WaitingChangeDeps;

export const AVAILABILITY_READ_ROUTES: readonly Route<AvailabilityReadDeps>[] = [
  route({
    id: 'getAvailabilityChange',
    method: 'get',
    path: '/api/v1/menus/availability/changes/{change_id}',
    parameters: { change_id: CHANGE_ID },
    group: 'Menus',
    summary: 'See one change of availability',
    description: 'The change is about items, or about a store that was paused or resumed (`kind`).',
    access: token(),
    idempotency: 'none',
    query: noQuery,
    body: noBody,
    answers: [
      {
        status: 200,
        schema: answerOf(ref('AvailabilityChangeView')),
        examples: { done: { message: 'Success.', data: CHANGE } },
      },
      {
        status: 404,
        when: 'It is unknown, or its store belongs to another user.',
        sentences: ['The change was not found.'],
      },
    ],
    async handle(deps: AvailabilityReadDeps, { ctx, params }) {
      const id = params.change_id;
      const viewer = viewerOf(ctx.state.caller);
      const change = isId('avc', id) ? await findChange(deps.sql, viewer, id) : undefined;
      if (!change) throw new AppError('not_found', 'The change was not found.');
      const waits = await whyChangesWait(deps, [change]);
      const data = renderChange(change, waits.get(change.changeId));
      ctx.body = { message: 'Success.', data };
    },
  }),
  route({
    id: 'listUnavailable',
    method: 'get',
    path: '/api/v1/menus/availability',
    parameters: {},
    group: 'Menus',
    summary: 'List the items that are off sale',
    description:
      'The items of your stores, newest first. `state` is that of the latest change: `failed` means that the item should be off sale, but the delivery app has not done it.',
    access: token(),
    slow: 'searches',
    idempotency: 'none',
    query: query(unavailableListSchema),
    body: noBody,
    answers: [
      {
        status: 200,
        schema: pageAnswer(ref('UnavailableItem')),
        examples: { page: { message: 'Success.', data: [UNAVAILABLE_ITEM], next_cursor: null } },
      },
      {
        ...STORE_MISSING,
        when: 'You had the store, and it was deleted. The list of a store that was never yours is empty.',
      },
      {
        status: 422,
        fields: { store_id: ['The selected store id is invalid.'], ...PAGE_FIELDS },
      },
    ],
    async handle(deps: AvailabilityReadDeps, { ctx, query: given }) {
      const { sql } = deps;
      const page = readPage(parseRowId, given);
      const viewer = viewerOf(ctx.state.caller);
      const filter = publicationFilter(given);
      if (filter.storeId !== undefined && (await hadStore(sql, viewer, filter.storeId))) {
        throw storeNotFound();
      }
      const { rows, continuesBehind } = await listUnavailableEntries(sql, viewer, {
        ...filter,
        ...page.wanted,
      });
      const behind = continuesBehind === null ? null : String(continuesBehind);
      const waits = await whyChangesWait(deps, rows);
      ctx.body = pageOf(
        rows,
        page,
        (row) => String(row.markNo),
        (row) => renderEntry(row, waits.get(row.changeId)),
        behind,
      );
    },
  }),
];

function renderChange(change: ChangeView, waitingFor: WaitingFor | undefined) {
  return {
    change_id: change.changeId,
    store_id: change.storeId,
    integration_id: change.namedIntegration,
    kind: change.kind,
    state: change.state,
    ...reasonOf(change),
    waiting_for: waitingFor ?? null,
    messages: limitSentences([...new Set(change.messages)]),
    items: change.items,
    created_at: change.createdAt,
    finished_at: change.finishedAt,
  };
}

function renderEntry(entry: UnavailableEntry, waitingFor: WaitingFor | undefined) {
  return {
    external_id: entry.externalId,
    store_id: entry.storeId,
    integration_id: String(entry.integrationId),
    until: entry.until,
    since: entry.since,
    source: entry.source,
    state: entry.state,
    message: entry.message ?? waitingFor?.message ?? null,
    waiting_for: waitingFor ?? null,
  };
}
