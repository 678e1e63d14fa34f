import { uploadChangesSchema } from '../../../schemas/upload-changes';
import { withAnswerBudget } from '../../http/admission/answer-budget';
import type { BoundShares } from '../../platform/admission/permits';
import { linkToNext, readPage } from '../../http/paging';
import { answerPieces } from '../../http/answer-pieces';
import { noBody } from '../../http/body/request-body';
import { query, type Route, route, token } from '../../http/route';
import type { RequestContext } from '../../http/state';
import { wantsRather } from '../../http/wanted-form';
import { ref } from '../../contract/answer-schemas';
import { UPLOAD_ID } from '../../contract/examples';
import { CHANGE_LINES, CHANGES } from '../../contract/preview-examples';
import { record } from '../../contract/answers';
import { BUSY } from '../../contract/refusals';
import { PAGE_FIELDS } from '../../contract/refusals';
import type { Sql } from '../../platform/db/client';
import { serviceBusy } from '../../platform/admission/service-busy';
import type { DocumentStore } from '../../uploads/documents';
import { UPLOAD_MISSING, uploadNotFound } from '../../uploads/named-upload';
import { requireVersion } from '../../uploads/routes/upload-versions';
import type { UploadVersion } from '../../uploads/sql/upload-versions';
import type { MenuPreviewer } from '../menu-previewer';
import { findSurroundings } from '../sql/compared-versions';

export interface UploadChangesDeps {
  readonly sql: Sql;
  /** For stored texts that are read while a thread waits for them. */
  readonly textsForThreads: Pick<DocumentStore, 'read'>;
  readonly previewer: MenuPreviewer;
  readonly bodyBudget: BoundShares;
}

/**
 * The cursor of a page: the upload compared with, so that all pages belong to one comparison, and the number of
 * changes before it.
 */
const CURSOR = /^(upl_[0-9a-f]{32})?:(\d{1,7})$/;

export const UPLOAD_CHANGES_ROUTE: Route<UploadChangesDeps> = route({
  id: 'getUploadChanges',
  method: 'get',
  path: '/api/v1/menus/uploads/{upload_id}/changes',
  parameters: { upload_id: UPLOAD_ID },
  group: 'Menus',
  summary: 'See what an upload changed',
  description:
    'The changes from another menu to this one, both as they were sent, by POS id. The other menu is the one that was live before (`previous`), the one that is live now, or that of another upload. ' +
    'An upload that never went live is compared with the live menu. With `Accept: text/plain` each change is a line, and `Link` leads to the next page.',
  access: token(),
  slow: 'reads texts',
  idempotency: 'none',
  query: query(uploadChangesSchema),
  body: noBody,
  answers: [
    {
      status: 200,
      schema: record({
        message: { type: 'string' },
        data: ref('MenuChanges'),
        next_cursor: { type: ['string', 'null'], description: 'Null on the last page.' },
      }),
      examples: { changes: { message: 'Success.', data: CHANGES, next_cursor: null } },
    },
    {
      status: 200,
      mediaType: 'text/plain',
      schema: { type: 'string' },
      examples: { lines: CHANGE_LINES },
      headers: ['Link'],
    },
    UPLOAD_MISSING,
    {
      status: 422,
      fields: { against: ['The selected against is invalid.'], ...PAGE_FIELDS },
    },
    BUSY,
  ],
  async handle(deps: UploadChangesDeps, { ctx, params, query: given }) {
    const version = await requireVersion(deps.sql, ctx, params.upload_id);
    const { size, wanted } = readPage((text) => CURSOR.exec(text) ?? undefined, given);
    const [cursor, pinned, offset = '0'] = wanted.before ?? [];
    const against =
      cursor === undefined
        ? await wantedUpload(deps.sql, version, given.against ?? 'previous')
        : (pinned ?? null);
    const other = against === null ? null : await requireVersion(deps.sql, ctx, against);
    const page = { offset: Number(offset), limit: size };
    const form = wantsRather(ctx, 'text/plain') ? 'lines' : 'json';
    const written = await withAnswerBudget(ctx, {
      budget: deps.bodyBudget,
      async make(hold) {
        const made = await deps.previewer.write(ctx.state.caller.userId, async () => {
          hold(version.documentSize + (other?.documentSize ?? 0));
          return {
            kind: 'changes',
            before: other && (await deps.textsForThreads.read(other.documentSha256)),
            after: await deps.textsForThreads.read(version.documentSha256),
            form,
            ...page,
          };
        });
        if (!made) throw serviceBusy();
        return made;
      },
      sizeOf: ({ text }) => text.length,
    });
    const next = written.hasMore ? cursorOf(against, page.offset + size) : null;
    if (form === 'lines') answerLines(ctx, written.text, next);
    else answerJson(ctx, against, written.text, next);
  },
});

/** The upload to compare with; null: there was no menu before. */
async function wantedUpload(
  sql: Sql,
  { uploadId }: UploadVersion,
  against: string,
): Promise<string | null> {
  if (against !== 'previous' && against !== 'live') return against;
  const around = await findSurroundings(sql, uploadId);
  if (!around) throw uploadNotFound();
  const isPrevious = against === 'previous' && around.wentLive;
  return isPrevious ? around.previousUploadId : around.liveUploadId;
}

function cursorOf(against: string | null, offset: number): string {
  return Buffer.from(`${against ?? ''}:${offset}`).toString('base64url');
}

/** Sends the JSON from the thread without parsing it. */
function answerJson(
  ctx: RequestContext,
  against: string | null,
  members: Uint8Array,
  next: string | null,
): void {
  answerPieces(ctx, 'application/json', [
    `{"message":"Success.","data":{"against":${JSON.stringify(against)},`,
    members,
    `},"next_cursor":${JSON.stringify(next)}}`,
  ]);
}

function answerLines(ctx: RequestContext, lines: Uint8Array, next: string | null): void {
  linkToNext(ctx, next);
  answerPieces(ctx, 'text/plain', [lines]);
}
