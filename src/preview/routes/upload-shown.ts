import type { UserId } from '../../platform/ids';
import { storeFactsOf } from '../../delivery-apps/types';
import type { Config } from '../../platform/config/config';
import type { Sql } from '../../platform/db/client';
import { AppError } from '../../platform/errors';
import { serviceBusy } from '../../platform/admission/service-busy';
import { withAnswerBudget } from '../../http/admission/answer-budget';
import type { BoundShares } from '../../platform/admission/permits';
import { answerPieces } from '../../http/answer-pieces';
import { noBody } from '../../http/body/request-body';
import { noQuery, type Route, route, token } from '../../http/route';
import { answerOf, ref } from '../../contract/answer-schemas';
import { UPLOAD_ID } from '../../contract/examples';
import { SHOWN } from '../../contract/preview-examples';
import { BUSY } from '../../contract/refusals';
import type { DocumentStore } from '../../uploads/documents';
import { UPLOAD_MISSING, uploadNotFound } from '../../uploads/named-upload';
import { NO_PAYLOAD, requireVersion } from '../../uploads/routes/upload-versions';
import type { UploadVersion } from '../../uploads/sql/upload-versions';
import type { MenuPreviewer } from '../menu-previewer';
import type { ShownWork } from '../version-work';
import { listUnavailableIds } from '../../availability/sql/marks';
import { findSurroundings } from '../sql/compared-versions';

export interface UploadShownDeps {
  readonly sql: Sql;
  /** For stored texts that are read while a thread waits for them. */
  readonly textsForThreads: Pick<DocumentStore, 'read'>;
  readonly previewer: MenuPreviewer;
  readonly bodyBudget: BoundShares;
  readonly settings: Pick<Config, 'APP_A_PRICE_UNIT'>;
}

export const UPLOAD_SHOWN_ROUTE: Route<UploadShownDeps> = route({
  id: 'getUploadShown',
  method: 'get',
  path: '/api/v1/menus/uploads/{upload_id}/shown',
  parameters: { upload_id: UPLOAD_ID },
  group: 'Menus',
  summary: 'See an upload as the delivery app shows it',
  description:
    'Read back from the payload of the upload, in the form of a preview; `available` is what is on sale now.',
  access: token(),
  slow: 'reads texts',
  idempotency: 'none',
  query: noQuery,
  body: noBody,
  answers: [
    {
      status: 200,
      schema: answerOf(ref('Shown')),
      examples: { shown: { message: 'Success.', data: SHOWN } },
    },
    {
      ...UPLOAD_MISSING,
      when: 'The upload is unknown, its store belongs to another user, or it has no payload because a loss blocked it.',
      sentences: [...UPLOAD_MISSING.sentences, NO_PAYLOAD],
    },
    BUSY,
  ],
  async handle(deps: UploadShownDeps, { ctx, params }) {
    const version = await requireVersion(deps.sql, ctx, params.upload_id);
    const { payloadSha256, payloadSize, documentSize } = version;
    if (payloadSha256 === null) throw new AppError('not_found', NO_PAYLOAD);
    const shown = await withAnswerBudget(ctx, {
      budget: deps.bodyBudget,
      make: (hold) =>
        readShown(deps, ctx.state.caller.userId, version, async () => {
          hold(documentSize + payloadSize);
          return {
            payload: await deps.textsForThreads.read(payloadSha256),
            menu: await deps.textsForThreads.read(version.documentSha256),
          };
        }),
      sizeOf: ({ length }) => length,
    });
    answerPieces(ctx, 'application/json', ['{"message":"Success.","data":', shown, '}']);
  },
});

async function readShown(
  { sql, previewer, settings }: UploadShownDeps,
  userId: UserId,
  version: UploadVersion,
  readTexts: () => Promise<Pick<ShownWork, 'payload' | 'menu'>>,
): Promise<Uint8Array> {
  const around = await findSurroundings(sql, version.uploadId);
  if (!around) throw uploadNotFound();
  const unavailableIds = await listUnavailableIds(sql, version.uploadId);
  const written = await previewer.write(userId, async () => ({
    kind: 'shown',
    app: around.app,
    store: storeFactsOf(around),
    priceUnit: settings.APP_A_PRICE_UNIT,
    unavailableIds,
    ...(await readTexts()),
  }));
  if (!written) throw serviceBusy();
  return written.text;
}
