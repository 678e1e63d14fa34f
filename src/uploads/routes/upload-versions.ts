import type { Sql } from '../../platform/db/client';
import { findVersion, type UploadVersion } from '../sql/upload-versions';
import type { DocumentStore } from '../documents';
import { AppError } from '../../platform/errors';
import { answerOf, ref } from '../../contract/answer-schemas';
import { MENU_UPLOAD, UPLOAD_ID } from '../../contract/examples';
import { BUSY } from '../../contract/refusals';
import { findToActOn, viewerOf } from '../../users/guards';
import { requireUploadId, UPLOAD_MISSING, uploadNotFound } from '../named-upload';
import { noBody } from '../../http/body/request-body';
import { noQuery, type Route, route, token } from '../../http/route';
import { readSentMenu } from '../sent-menu';
import { answerShared } from '../../http/answer-pieces';
import { withAnswerBudget } from '../../http/admission/answer-budget';
import type { BoundShares } from '../../platform/admission/permits';
import type { RequestContext } from '../../http/state';

export interface UploadVersionDeps {
  readonly sql: Sql;
  readonly documents: DocumentStore;
  readonly bodyBudget: BoundShares;
}

const PARAMETERS = { upload_id: UPLOAD_ID };
export const NO_PAYLOAD = 'The upload has no payload.';

/** Stored menus and payloads of uploads. */
export const UPLOAD_VERSION_ROUTES: readonly Route<UploadVersionDeps>[] = [
  route({
    id: 'getUploadMenu',
    method: 'get',
    path: '/api/v1/menus/uploads/{upload_id}/menu',
    parameters: PARAMETERS,
    group: 'Menus',
    summary: 'See the menu of an upload',
    description: 'The body as it was sent, including unknown members.',
    access: token(),
    slow: 'reads texts',
    idempotency: 'none',
    query: noQuery,
    body: noBody,
    answers: [
      {
        status: 200,
        schema: answerOf({ $ref: '#/components/schemas/MenuUpload' }),
        examples: { sent: { message: 'Success.', data: MENU_UPLOAD } },
      },
      UPLOAD_MISSING,
      BUSY,
    ],
    async handle(deps: UploadVersionDeps, { ctx, params }) {
      const version = await requireVersion(deps.sql, ctx, params.upload_id);
      await answerJson(deps, ctx, version.documentSize, () =>
        readSentMenu(deps.documents, version),
      );
    },
  }),
  route({
    id: 'getUploadPayload',
    method: 'get',
    path: '/api/v1/menus/uploads/{upload_id}/payload',
    parameters: PARAMETERS,
    group: 'Menus',
    summary: 'See the payload that the delivery app was sent',
    description:
      'The app’s own JSON, without tokens and secrets, and without what is off sale, which is written in when it is sent.',
    access: token(),
    slow: 'reads texts',
    idempotency: 'none',
    query: noQuery,
    body: noBody,
    answers: [
      {
        status: 200,
        schema: ref('PayloadAnswer'),
        examples: { payload: { message: 'Success.', data: { menus: [], items: [] } } },
      },
      {
        ...UPLOAD_MISSING,
        when: 'The upload is unknown, its store belongs to another user, or it has no payload because a loss blocked it.',
        sentences: [...UPLOAD_MISSING.sentences, NO_PAYLOAD],
      },
      BUSY,
    ],
    async handle(deps: UploadVersionDeps, { ctx, params }) {
      const version = await requireVersion(deps.sql, ctx, params.upload_id);
      const { payloadSha256, payloadSize } = version;
      if (payloadSha256 === null) throw new AppError('not_found', NO_PAYLOAD);
      await answerJson(deps, ctx, payloadSize, () => deps.documents.read(payloadSha256));
    },
  }),
];

/** The version of the upload named in a path; throws the 404 if the caller may not see it. */
export async function requireVersion(
  sql: Sql,
  ctx: RequestContext,
  pathUploadId: string,
): Promise<UploadVersion> {
  const uploadId = requireUploadId(pathUploadId);
  const version = await findVersion(sql, viewerOf(ctx.state.caller), uploadId);
  if (!version) throw uploadNotFound();
  return version;
}

/** The same of an upload on which the caller acts; throws the 403 if they only see it. */
export async function requireOwnVersion(
  sql: Sql,
  { state: { caller } }: RequestContext,
  pathUploadId: string,
): Promise<UploadVersion> {
  const uploadId = requireUploadId(pathUploadId);
  const version = await findToActOn(caller, (viewer) => findVersion(sql, viewer, uploadId));
  if (!version) throw uploadNotFound();
  return version;
}

/** Answers with JSON stored as text of this size, so that 10 MB of it need not be parsed to be sent. */
async function answerJson(
  { bodyBudget: budget }: UploadVersionDeps,
  ctx: RequestContext,
  bytes: number,
  read: () => Promise<Buffer>,
): Promise<void> {
  const data = await withAnswerBudget(ctx, {
    budget,
    make(hold) {
      hold(bytes);
      return read();
    },
    sizeOf: ({ length }) => length,
  });
  answerShared(ctx, 'application/json', ['{"message":"Success.","data":', data, '}']);
}
