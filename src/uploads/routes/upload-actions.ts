import { menuUploadQuerySchema } from '../../../schemas/menu-upload';
import { acceptUpload, type AcceptUploadDeps, wakeAndWait } from '../accept-upload';
import type { Config } from '../../platform/config/config';
import { cancelUpload, findLastReason } from '../sql/upload-cancel';
import type { UploadVersion } from '../sql/upload-versions';
import { findUpload } from '../sql/upload-views';
import { canceledMessages, SUPERSEDED_MESSAGE } from '../upload-verdict';
import { AppError } from '../../platform/errors';
import { serviceBusy } from '../../platform/admission/service-busy';
import { answerOf, ref } from '../../contract/answer-schemas';
import { UPLOAD, UPLOAD_ID } from '../../contract/examples';
import { menuPublicationWorkflow } from '../queue';
import type { BoundShares } from '../../platform/admission/permits';
import type { BodyReader } from '../../http/body/body-reader';
import { viewerOf } from '../../users/guards';
import { bindKey } from '../../http/sql/idempotency';
import { keyLost } from '../../http/idempotency-key-lost';
import { MENU_UPLOAD_BODY, type CheckedUpload } from '../menu-upload-body';
import type { DocumentStore } from '../documents';
import { UPLOAD_MISSING, uploadNotFound } from '../named-upload';
import { emptyBody, storedBody } from '../../http/body/request-body';
import { noQuery, query, type Route, route, token } from '../../http/route';
import { readSentMenu } from '../sent-menu';
import type { RequestContext } from '../../http/state';
import { answerUpload, pointToUpload, prefersAsync } from '../upload-answers';
import { UPLOAD_SUCCESSES } from './menu-uploads';
import { renderUpload } from './upload-status';
import { requireOwnVersion } from './upload-versions';

export interface UploadActionDeps extends AcceptUploadDeps {
  readonly documents: Pick<DocumentStore, 'read'>;
  readonly bodyReader: BodyReader;
  readonly bodyBudget: BoundShares;
  readonly settings: AcceptUploadDeps['settings'] &
    Pick<Config, 'TEMPORAL_UI_URL' | 'TEMPORAL_NAMESPACE'>;
}

const PARAMETERS = { upload_id: UPLOAD_ID };

export const UPLOAD_ACTION_ROUTES: readonly Route<UploadActionDeps>[] = [
  route({
    id: 'republishUpload',
    method: 'post',
    path: '/api/v1/menus/uploads/{upload_id}/republish',
    parameters: PARAMETERS,
    group: 'Menus',
    summary: 'Publish the menu of an upload again',
    description:
      'Uploads that menu again, in whichever state the old upload ended, with the same checks and answers as an upload.',
    access: token({ acts: true }),
    idempotency: 'kept',
    query: query(menuUploadQuerySchema),
    headers: ['Prefer'],
    body: storedBody,
    answers: [
      ...UPLOAD_SUCCESSES,
      UPLOAD_MISSING,
      {
        status: 409,
        when: 'The integration or the delivery app refuses.',
        sentences: [
          'Integration not available.',
          'The store must have a time zone.',
          'This store does not have a token for this delivery.',
          'Microservice does not have this integration configured.',
          'This store does not have the store delivery id.',
          'Could not upload menu to delivery system.',
          SUPERSEDED_MESSAGE,
          'The upload was canceled.',
        ],
        headers: ['X-Upload-Id', 'Location'],
      },
      {
        status: 422,
        fields: {
          store_id: ['The selected store id is invalid.'],
          skip_unchanged: ['The selected skip unchanged is invalid.'],
        },
      },
      {
        status: 503,
        when: 'The process has reached its limit of menus.',
        sentences: ['The service is busy.'],
        headers: ['Retry-After'],
      },
    ],
    async handle(deps: UploadActionDeps, { ctx, params, query: { skip_unchanged } }) {
      const version = await requireOwnVersion(deps.sql, ctx, params.upload_id);
      const upload = await republish(deps, ctx, version, skip_unchanged === 'true');
      pointToUpload(ctx, upload.uploadId);
      return async () => answerUpload(ctx, upload.uploadId, await wakeAndWait(deps, upload));
    },
  }),
  route({
    id: 'cancelUpload',
    method: 'post',
    path: '/api/v1/menus/uploads/{upload_id}/cancel',
    parameters: PARAMETERS,
    group: 'Menus',
    summary: 'Cancel an upload',
    description:
      'Possible while it waits, even for the next try of an app that is away. A waiting caller gets 409 `The upload was canceled.`',
    access: token({ acts: true }),
    idempotency: 'kept',
    query: noQuery,
    body: emptyBody,
    answers: [
      {
        status: 200,
        schema: answerOf(ref('Upload')),
        examples: { canceled: { message: 'Success.', data: { ...UPLOAD, state: 'canceled' } } },
      },
      UPLOAD_MISSING,
      {
        status: 409,
        when: 'A push is in progress or may have had an effect, or the upload has ended.',
        sentences: ['The upload can no longer be canceled.'],
      },
    ],
    async handle(deps: UploadActionDeps, { ctx, params }) {
      const version = await requireOwnVersion(deps.sql, ctx, params.upload_id);
      const viewer = viewerOf(ctx.state.caller);
      const { heldKey, boundId } = ctx.state;
      if (boundId === null && !(await bindKey(deps.sql, heldKey, version.uploadId)))
        throw keyLost();
      const isCanceled = await cancel(deps, version);
      const row = await findUpload(deps.sql, viewer, version.uploadId);
      if (!row) throw uploadNotFound();
      // An earlier try of this request may have canceled it before its process died.
      if (!isCanceled && !(boundId !== null && row.state === 'canceled')) throw notCancelable();
      ctx.body = { message: 'Success.', data: renderUpload(row, deps.settings) };
    },
  }),
];

/**
 * Uploads the menu of a version again. Its text counts against the memory for request bodies until its row is
 * written.
 */
async function republish(
  deps: UploadActionDeps,
  ctx: RequestContext,
  version: UploadVersion,
  skipUnchanged: boolean,
) {
  const memory = deps.bodyBudget.take(ctx.state.caller.userId, version.documentSize);
  if (!memory) throw serviceBusy();
  try {
    const reading = await deps.bodyReader.read(
      MENU_UPLOAD_BODY,
      await readSentMenu(deps.documents, version),
      ctx.state.caller.userId,
    );
    const { menu, sentBeside }: CheckedUpload = MENU_UPLOAD_BODY.check(reading);
    return await acceptUpload(deps, ctx.state, {
      storeId: version.storeId,
      integrationId: version.integrationId,
      menu,
      sentBeside,
      skipUnchanged,
      republishedFrom: version.uploadId,
      waits: !prefersAsync(ctx),
    });
  } finally {
    memory.release();
  }
}

/** How often the app's answer may change while its upload is being canceled. */
const CANCEL_TRIES = 3;

/** Cancels an upload and tells its workflow. False = it continues, or has ended. */
async function cancel(
  deps: UploadActionDeps,
  { uploadId, storeId, integrationId }: UploadVersion,
): Promise<boolean> {
  for (let tries = 0; tries < CANCEL_TRIES; tries++) {
    const last = await findLastReason(deps.sql, uploadId);
    if (!last) throw uploadNotFound();
    const { reason } = last;
    const messages = canceledMessages(reason);
    if (await cancelUpload(deps.sql, { uploadId, reason, messages })) {
      await deps.waker.wake(menuPublicationWorkflow, { storeId, integrationId }, false);
      return true;
    }
  }
  return false;
}

function notCancelable(): AppError {
  return new AppError('upload_not_cancelable', 'The upload can no longer be canceled.');
}
