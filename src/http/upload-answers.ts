import type { UploadOutcomeRow } from '../db/uploads';
import { AppError, type ErrorDetail } from '../errors';
import type { UploadId } from '../ids';
import type { RequestContext } from './state';

/** Where the status of an upload is; on every answer after its row exists. */
export function pointToUpload(ctx: RequestContext, uploadId: UploadId): string {
  const path = `/api/v1/menus/uploads/${uploadId}`;
  ctx.set({ 'X-Upload-Id': uploadId, Location: path });
  ctx.state.logged['upload_id'] = uploadId;
  return path;
}

/** The answer to a finished upload; undefined = still under way. Throws the 409 of one that is not live as sent. */
export function answerUpload(ctx: RequestContext, outcome: UploadOutcomeRow | undefined): void {
  switch (outcome?.state) {
    case undefined:
    case 'queued':
    case 'running':
      ctx.status = 202;
      return;
    case 'uploaded':
      ctx.body = { message: 'Menu successfully uploaded.', data: null };
      return;
    case 'superseded':
      throw new AppError('upload_superseded', outcome.messages);
    case 'canceled':
      throw new AppError('upload_canceled', outcome.messages);
    case 'failed':
    case 'partly_uploaded':
      throw new AppError('upload_failed', outcome.messages, {
        details: outcome.messages.map((sentence) => describe(sentence, outcome)),
      });
  }
}

/** A sentence about an entity of the menu knows where in the body that is. */
function describe(detail: string, { losses }: UploadOutcomeRow): ErrorDetail {
  const loss = losses.find(({ severity, message }) => severity === 'block' && message === detail);
  if (!loss?.external_id) return { code: 'upload_failed', detail };
  const { code, pointer, external_id } = loss;
  return { code, pointer, detail, external_id };
}
