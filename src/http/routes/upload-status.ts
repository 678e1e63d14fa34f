import Router from '@koa/router';
import { uploadListSchema } from '../../../schemas/lists';
import type { Config } from '../../config';
import type { Sql } from '../../db/client';
import { listUploads, type UploadView } from '../../db/upload-views';
import { UPLOAD_STEPS, type UploadStep } from '../../domain/upload';
import { menuPublicationId } from '../../domain/workflow-names';
import { AppError } from '../../errors';
import { isId } from '../../ids';
import { createValidator } from '../../validation';
import { accepted, parseRowId, requireActiveUser, viewerOf } from '../guards';
import { pageOf, readPage } from '../paging';
import type { RequestState } from '../state';

export interface UploadStatusDeps {
  readonly sql: Sql;
  readonly settings: Pick<Config, 'TEMPORAL_UI_URL' | 'TEMPORAL_NAMESPACE'>;
}

const validateQuery = createValidator(uploadListSchema);

export function uploadStatusRoutes({ sql, settings }: UploadStatusDeps): Router<RequestState> {
  const router = new Router<RequestState>();
  const render = (upload: UploadView) => renderUpload(upload, settings);

  router.get('/menus/uploads', async (ctx) => {
    const query = accepted(validateQuery(ctx.query));
    requireActiveUser(ctx.state.caller);
    const page = readPage('upl', query);
    const storeId = query.store_id === undefined ? undefined : (parseRowId(query.store_id) ?? 0);
    const integrationId =
      query.integration_id === undefined ? undefined : (parseRowId(query.integration_id) ?? 0);
    const rows = await listUploads(sql, viewerOf(ctx.state.caller), {
      ...(storeId === undefined ? {} : { storeId }),
      ...(integrationId === undefined ? {} : { integrationId }),
      ...(query.state === undefined ? {} : { state: query.state }),
      ...(page.before === undefined ? {} : { before: page.before }),
      limit: page.limit + 1,
    });
    ctx.body = pageOf(rows, page, (row) => row.uploadId, render);
  });

  router.get('/menus/uploads/:upload_id', async (ctx) => {
    requireActiveUser(ctx.state.caller);
    const uploadId = ctx.params['upload_id'] ?? '';
    const [row] = isId('upl', uploadId)
      ? await listUploads(sql, viewerOf(ctx.state.caller), { uploadId, limit: 1 })
      : [];
    // Somebody else's upload is as unknown as one that never was.
    if (!row) throw new AppError('not_found', 'The upload was not found.');
    ctx.body = { message: 'Success.', data: render(row) };
  });

  return router;
}

function renderUpload(upload: UploadView, settings: UploadStatusDeps['settings']) {
  return {
    upload_id: upload.uploadId,
    store_id: upload.storeId,
    integration_id: String(upload.integrationId),
    state: upload.state,
    created_at: upload.createdAt,
    finished_at: upload.finishedAt,
    next_attempt_at: upload.nextAttemptAt,
    messages: upload.messages,
    losses: upload.losses,
    steps: stepsOf(upload),
    trace_url: traceUrl(upload, settings),
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

function traceUrl(upload: UploadView, settings: UploadStatusDeps['settings']): string | null {
  const { TEMPORAL_UI_URL, TEMPORAL_NAMESPACE } = settings;
  if (TEMPORAL_UI_URL === null || upload.runId === null) return null;
  const workflowId = menuPublicationId(upload.storeId, upload.integrationId);
  const run = `${encodeURIComponent(workflowId)}/${upload.runId}`;
  return `${TEMPORAL_UI_URL.replace(/\/$/, '')}/namespaces/${TEMPORAL_NAMESPACE}/workflows/${run}/history`;
}
