import { publicationFilter } from '../publication-filter';
import { uploadListSchema } from '../../../schemas/lists';
import type { Config } from '../../platform/config/config';
import { listUploads } from '../sql/upload-lists';
import { findUpload, type UploadSummary, type UploadView } from '../sql/upload-views';
import { UPLOAD_STEPS } from '../../../schemas/states';
import type { UploadStep } from '../upload';
import { answerOf, pageAnswer, ref } from '../../contract/answer-schemas';
import { UPLOAD, UPLOAD_ID, UPLOAD_SUMMARY } from '../../contract/examples';
import { PAGE_FIELDS, TIME_FIELDS } from '../../contract/refusals';
import { traceUrl } from '../../platform/temporal/trace-url';
import { viewerOf } from '../../users/guards';
import type { WaitingFor } from '../../contract/why-it-waits';
import { type WaitingDeps, whyUploadsWait } from '../read-upload-waits';
import { requireUploadId, UPLOAD_MISSING, uploadNotFound } from '../named-upload';
import { madeBy } from '../../http/made-by';
import { idKey, pageOf, readPage } from '../../http/paging';
import { noBody } from '../../http/body/request-body';
import { noQuery, query, type Route, route, token } from '../../http/route';

export interface UploadStatusDeps extends WaitingDeps {
  readonly settings: Pick<Config, 'TEMPORAL_UI_URL' | 'TEMPORAL_NAMESPACE'>;
}

export const UPLOAD_STATUS_ROUTES: readonly Route<UploadStatusDeps>[] = [
  route({
    id: 'getUpload',
    method: 'get',
    path: '/api/v1/menus/uploads/{upload_id}',
    parameters: { upload_id: UPLOAD_ID },
    group: 'Menus',
    summary: 'See one upload',
    description:
      'Includes its steps, the answer of the delivery app (`messages`), and the parts that the app will not show as sent (`losses`).',
    access: token(),
    idempotency: 'none',
    query: noQuery,
    body: noBody,
    answers: [
      {
        status: 200,
        schema: answerOf(ref('Upload')),
        examples: { uploaded: { message: 'Success.', data: UPLOAD } },
      },
      UPLOAD_MISSING,
    ],
    async handle(deps: UploadStatusDeps, { ctx, params }) {
      const viewer = viewerOf(ctx.state.caller);
      const row = await findUpload(deps.sql, viewer, requireUploadId(params.upload_id));
      if (!row) throw uploadNotFound();
      const waits = await whyUploadsWait(deps, [row]);
      const data = renderUpload(row, deps.settings, waits.get(row.uploadId));
      ctx.body = { message: 'Success.', data };
    },
  }),
  route({
    id: 'listUploads',
    method: 'get',
    path: '/api/v1/menus/uploads',
    parameters: {},
    group: 'Menus',
    summary: 'List uploads',
    description:
      'The uploads of your stores, newest first, without losses and steps, and with at most five messages. The URL of an upload returns all of it.',
    access: token(),
    slow: 'searches',
    idempotency: 'none',
    query: query(uploadListSchema),
    body: noBody,
    answers: [
      {
        status: 200,
        schema: pageAnswer(ref('UploadSummary')),
        examples: { page: { message: 'Success.', data: [UPLOAD_SUMMARY], next_cursor: null } },
      },
      {
        status: 422,
        fields: {
          store_id: ['The selected store id is invalid.'],
          state: ['The selected state is invalid.'],
          ...TIME_FIELDS,
          ...PAGE_FIELDS,
        },
      },
    ],
    async handle(deps: UploadStatusDeps, { ctx, query: given }) {
      const page = readPage(idKey('upl'), given);
      const { rows, continuesBehind } = await listUploads(deps.sql, viewerOf(ctx.state.caller), {
        ...publicationFilter(given),
        ...(given.state === undefined ? {} : { state: given.state }),
        ...madeBy(given),
        ...page.wanted,
      });
      const waits = await whyUploadsWait(deps, rows);
      ctx.body = pageOf(
        rows,
        page,
        (row) => row.uploadId,
        (row) => renderSummary(row, deps.settings, waits.get(row.uploadId)),
        continuesBehind,
      );
    },
  }),
];

/** The most messages per entry of a list, because a page of 100 uploads is read at once. */
const LISTED_MESSAGES = 5;

function renderSummary(
  upload: UploadSummary,
  settings: UploadStatusDeps['settings'],
  waitingFor: WaitingFor | undefined,
) {
  return {
    upload_id: upload.uploadId,
    store_id: upload.storeId,
    integration_id: String(upload.integrationId),
    state: upload.state,
    created_at: upload.createdAt,
    finished_at: upload.finishedAt,
    next_attempt_at: upload.nextAttemptAt,
    waiting_for: waitingFor ?? null,
    messages: messagesOf(upload, waitingFor).slice(0, LISTED_MESSAGES),
    loss_counts: upload.lossCounts,
    republished_from: upload.republishedFrom,
    ...(upload.changedFrom !== null && { changed_from: upload.changedFrom }),
    rollout_id: upload.rolloutId,
    user_id: upload.userId,
    request_id: upload.requestId,
    trace_url: traceUrl(upload, settings),
  };
}

/** Until an upload ends, what the app said last, or for what it waits. */
export function messagesOf(
  { messages }: Pick<UploadSummary, 'messages'>,
  waitingFor: WaitingFor | undefined,
): readonly string[] {
  return waitingFor ? [waitingFor.message] : messages;
}

/** An upload as its status shows it. `waitingFor`: undefined if it does not wait. */
export function renderUpload(
  upload: UploadView,
  settings: UploadStatusDeps['settings'],
  waitingFor?: WaitingFor,
) {
  return {
    ...renderSummary(upload, settings, waitingFor),
    messages: messagesOf(upload, waitingFor),
    losses: upload.losses,
    steps: stepsOf(upload),
  };
}

/**
 * Steps that only some uploads have: changes of single items, by an app's calls about them; and menus of apps whose menus
 * cannot say what is off sale, if something is.
 */
const SELDOM: ReadonlySet<UploadStep> = new Set(['items', 'availability']);

/** All steps that an upload of this app can have, in order; steps without a row have not started, or never will. */
function stepsOf(upload: UploadView) {
  const finished = upload.finishedAt !== null;
  const own = new Set(upload.steps.map(({ name }) => name));
  const names = UPLOAD_STEPS.filter((name) => !SELDOM.has(name) || own.has(name));
  return names.map((name: UploadStep) => {
    const step = upload.steps.find((each) => each.name === name);
    return {
      name,
      state: step?.state ?? (finished ? 'skipped' : 'pending'),
      attempts: step?.attempts ?? 0,
      started_at: isoTime(step?.started_at),
      finished_at: isoTime(step?.finished_at),
      ...(step?.answer ? { answer: step.answer } : {}),
    };
  });
}

/** JSON made by Postgres has times with a numeric offset; the API's times are all UTC with a Z. */
function isoTime(text: string | null | undefined): string | null {
  return text ? new Date(text).toISOString() : null;
}
