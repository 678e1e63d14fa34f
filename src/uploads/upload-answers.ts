import type { UploadOutcomeRow } from './sql/uploads';
import { CANCELED_MESSAGE } from './upload-verdict';
import { AppError, type ErrorDetail } from '../platform/errors';
import type { UploadId } from '../platform/ids';
import type { RequestContext } from '../http/state';

/** Sets the headers with the upload's status URL, on every answer after its row exists. */
export function pointToUpload(ctx: RequestContext, uploadId: UploadId): void {
  ctx.set({ 'X-Upload-Id': uploadId, Location: statusUrlOf(uploadId) });
  ctx.state.logged['upload_id'] = uploadId;
}

function statusUrlOf(uploadId: UploadId): string {
  return `/api/v1/menus/uploads/${uploadId}`;
}

/** RFC 7240: preferences are separated by commas and may have parameters. */
export function prefersAsync(ctx: RequestContext): boolean {
  return ctx
    .get('prefer')
    .split(',')
    .some((each) => /^\s*respond-async\s*(?:;|$)/i.test(each));
}

/**
 * Answers a request for an upload: 200 or 409 by its outcome, 202 while `outcome` is undefined. Throws the 409.
 */
export function answerUpload(
  ctx: RequestContext,
  uploadId: UploadId,
  outcome: UploadOutcomeRow | undefined,
): void {
  switch (outcome?.state) {
    case undefined:
    case 'queued':
    case 'running':
      ctx.status = 202;
      ctx.body = {
        message: 'Menu upload in progress.',
        data: { upload_id: uploadId, status_url: statusUrlOf(uploadId) },
      };
      return;
    case 'uploaded':
      ctx.body = { message: 'Menu successfully uploaded.', data: null };
      return;
    case 'superseded':
      throw new AppError('upload_superseded', outcome.messages);
    case 'canceled':
      // The messages after the first one are the app's last answer, which only its status shows.
      throw new AppError('upload_canceled', CANCELED_MESSAGE);
    case 'failed':
    case 'partly_uploaded':
      throw new AppError('upload_failed', outcome.messages, {
        details: outcome.messages.map((sentence) => describe(sentence, outcome)),
      });
  }
}

/** A message about an entity of the menu includes its position in the body. */
function describe(detail: string, { losses }: UploadOutcomeRow): ErrorDetail {
  const loss = losses.find(({ severity, message }) => severity === 'block' && message === detail);
  if (!loss?.external_id) return { code: 'upload_failed', detail };
  const { code, pointer, external_id } = loss;
  return { code, pointer, detail, external_id };
}
