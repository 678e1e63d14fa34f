import { uploadListSchema } from '../../../schemas/lists';
import type { Config } from '../../config';
import type { Sql } from '../../db/client';
import {
  findUpload,
  listUploads,
  type UploadSummary,
  type UploadView,
} from '../../db/upload-views';
import { UPLOAD_STEPS, type UploadStep } from '../../domain/upload';
import { menuPublicationId } from '../../domain/workflow-names';
import { AppError } from '../../errors';
import { isId } from '../../ids';
import { answerOf, pageOf as pageSchema, ref } from '../../openapi/answer-schemas';
import { UPLOAD, UPLOAD_ID, UPLOAD_SUMMARY } from '../../openapi/examples';
import { PAGE_FIELDS } from '../../openapi/refusals';
import { parseRowId, viewerOf } from '../guards';
import { pageOf, readPage } from '../paging';
import { noBody } from '../request-body';
import { noQuery, query, type Route, route, token } from '../route';

export interface UploadStatusDeps {
  readonly sql: Sql;
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
      'With its steps, what the delivery app said (`messages`) and what it will not show as sent (`losses`).',
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
      {
        status: 404,
        when: 'Or its store is somebody else’s.',
        sentences: ['The upload was not found.'],
      },
    ],
    async handle({ sql, settings }: UploadStatusDeps, { ctx, params }) {
      const uploadId = params.upload_id;
      const row = isId('upl', uploadId)
        ? await findUpload(sql, viewerOf(ctx.state.caller), uploadId)
        : undefined;
      // Somebody else's upload is as unknown as one that never was.
      if (!row) throw new AppError('not_found', 'The upload was not found.');
      ctx.body = { message: 'Success.', data: renderUpload(row, settings) };
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
      'Those of your stores, newest first; without losses and steps, and with five messages at most. Each is whole at its own URL.',
    access: token(),
    idempotency: 'none',
    query: query(uploadListSchema),
    body: noBody,
    answers: [
      {
        status: 200,
        schema: pageSchema(ref('UploadSummary')),
        examples: { page: { message: 'Success.', data: [UPLOAD_SUMMARY], next_cursor: null } },
      },
      {
        status: 422,
        fields: {
          state: ['The selected state is invalid.'],
          ...PAGE_FIELDS,
        },
      },
    ],
    async handle({ sql, settings }: UploadStatusDeps, { ctx, query: given }) {
      const page = readPage((text) => isId('upl', text), given);
      const storeId = given.store_id === undefined ? undefined : (parseRowId(given.store_id) ?? 0);
      const integrationId =
        given.integration_id === undefined ? undefined : (parseRowId(given.integration_id) ?? 0);
      const rows = await listUploads(sql, viewerOf(ctx.state.caller), {
        ...(storeId === undefined ? {} : { storeId }),
        ...(integrationId === undefined ? {} : { integrationId }),
        ...(given.state === undefined ? {} : { state: given.state }),
        ...(page.before === undefined ? {} : { before: page.before }),
        limit: page.limit + 1,
      });
      ctx.body = pageOf(
        rows,
        page,
        (row) => row.uploadId,
        (row) => renderSummary(row, settings),
      );
    },
  }),
];

/** Most messages of an entry of a list: a page of 100 uploads is read as a whole. */
const LISTED_MESSAGES = 5;

function renderSummary(upload: UploadSummary, settings: UploadStatusDeps['settings']) {
  return {
    upload_id: upload.uploadId,
    store_id: upload.storeId,
    integration_id: String(upload.integrationId),
    state: upload.state,
    created_at: upload.createdAt,
    finished_at: upload.finishedAt,
    next_attempt_at: upload.nextAttemptAt,
    messages: upload.messages.slice(0, LISTED_MESSAGES),
    loss_counts: upload.lossCounts,
    trace_url: traceUrl(upload, settings),
  };
}

function renderUpload(upload: UploadView, settings: UploadStatusDeps['settings']) {
  return {
    ...renderSummary(upload, settings),
    messages: upload.messages,
    losses: upload.losses,
    steps: stepsOf(upload),
  };
}

/** Every step that an upload of this app can have, in order; those without a row have not begun, or never will. */
function stepsOf(upload: UploadView) {
  const finished = upload.finishedAt !== null;
  return UPLOAD_STEPS.map((name: UploadStep) => {
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

/** JSON made by Postgres writes times with a numeric offset; the API's are all UTC with a Z. */
function isoTime(text: string | null | undefined): string | null {
  return text ? new Date(text).toISOString() : null;
}

function traceUrl(upload: UploadSummary, settings: UploadStatusDeps['settings']): string | null {
  const { TEMPORAL_UI_URL, TEMPORAL_NAMESPACE } = settings;
  if (TEMPORAL_UI_URL === null || upload.runId === null) return null;
  const workflowId = menuPublicationId(upload.storeId, upload.integrationId);
  const run = `${encodeURIComponent(workflowId)}/${upload.runId}`;
  return `${TEMPORAL_UI_URL.replace(/\/$/, '')}/namespaces/${TEMPORAL_NAMESPACE}/workflows/${run}/history`;
}
