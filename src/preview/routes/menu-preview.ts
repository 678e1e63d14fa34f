import { randomUUID } from 'node:crypto';
import { menuPreviewQuerySchema } from '../../../schemas/menu-preview';
import type { BoundShares } from '../../platform/admission/permits';
import type { Held } from '../../platform/admission/shares';
import { answerPieces } from '../../http/answer-pieces';
import { freeMemory } from '../../platform/threads/free-memory';
import { serviceBusy } from '../../platform/admission/service-busy';
import { query, type Route, route, token } from '../../http/route';
import { requireDeclaredSlow } from '../../http/admission/slow-work';
import type { RequestContext } from '../../http/state';
import { callerGone } from '../../http/when-closed';
import { answerOf, ref } from '../../contract/answer-schemas';
import { PREVIEW_RESULT } from '../../contract/preview-examples';
import { record } from '../../contract/answers';
import { requireTimeZone, requireValidMenu } from '../../uploads/checked-menu';
import { findNamedStore, requireSeenStore } from '../../users/guards';
import { dayInZone } from '../../platform/text/time-zone';
import { MENU_PREVIEW_BODY } from '../preview-body';
import { type PreviewDeps, previewMenu, type PreviewRequest } from '../preview-menu';
import { PREVIEW_PARTS } from '../preview-task';

export interface MenuPreviewDeps extends PreviewDeps {
  readonly bodyBudget: BoundShares;
}

export const MENU_PREVIEW_ROUTE: Route<MenuPreviewDeps> = route({
  id: 'previewMenu',
  method: 'post',
  path: '/api/v1/menus/preview',
  parameters: {},
  group: 'Menus',
  summary: 'Preview a menu',
  description:
    'Returns what each delivery app would show, and what would be lost, with the messages of an upload. Nothing is stored, started or pushed. ' +
    'A loss names every difference between the menu as sent and `shown`. Without `check_images` only the URLs of images are checked.',
  access: token(),
  slow: 'asks strangers',
  idempotency: 'none',
  query: query(menuPreviewQuerySchema),
  body: MENU_PREVIEW_BODY,
  answers: [
    {
      status: 200,
      schema: answerOf(record({ results: { type: 'array', items: ref('PreviewResult') } })),
      examples: { preview: { message: 'Menu preview.', data: { results: [PREVIEW_RESULT] } } },
    },
    {
      status: 409,
      when: 'The store belongs to another user, or the menu breaks rules.',
      sentences: [
        "You don't have this store available.",
        'The menu must have a name.',
        'The store must have a time zone.',
      ],
    },
    {
      status: 422,
      fields: {
        store_id: ['The store id field is required.', 'The selected store id is invalid.'],
        integration_ids: [
          'The integration ids field is required.',
          'The integration ids may not have more than 20 items.',
        ],
        menus: ['The menus field is required.'],
        categories: ['The categories field is required.'],
        items: ['The items field is required.'],
        modifier_groups: ['The modifier groups field is required.'],
        include: ['The selected include is invalid.'],
        check_images: ['The selected check images is invalid.'],
      },
    },
  ],
  async handle(deps: MenuPreviewDeps, { ctx, body, query: given }) {
    const { caller } = ctx.state;
    const access = await findNamedStore(deps.sql, caller, body.store_id);
    requireSeenStore(caller, access);
    const menu = requireValidMenu(body.menu);
    requireTimeZone(menu, access);
    const pieces = await collectResults(deps, ctx, {
      id: randomUUID(),
      storeId: access.storeId,
      today: dayInZone(new Date(), access.timeZone ?? 'UTC'),
      integrationIds: body.integration_ids,
      menu: menu.text,
      menuCount: menu.menuCount,
      sentBeside: body.sentBeside,
      include: PREVIEW_PARTS.filter((part) => given.include?.split(',').includes(part)),
      checkImages: given.check_images === 'true',
    });
    answerPieces(ctx, 'application/json', [
      '{"message":"Menu preview.","data":{"results":[',
      ...pieces,
      ']}}',
    ]);
  },
});

/**
 * The pieces of all results, counted in the caller's share of the budget of request bodies until they are sent, because
 * 20 results may have 26 MB each. Throws the 503 if too little is left.
 */
async function collectResults(
  deps: MenuPreviewDeps,
  ctx: RequestContext,
  request: Omit<PreviewRequest, 'signal' | 'userId'>,
): Promise<readonly Uint8Array[]> {
  // The caller left while the body was read: no event will follow, and the memory would stay taken.
  if (ctx.res.closed) throw callerGone();
  requireDeclaredSlow(ctx, 'asks strangers');
  const { userId } = ctx.state.caller;
  const memory = deps.bodyBudget.take(userId, 0);
  if (!memory) throw serviceBusy();
  const gone = new AbortController();
  const pieces: Uint8Array[] = [];
  // The socket has taken every byte, or it is closed.
  ctx.res.once('close', () => {
    memory.release();
    gone.abort();
  });
  try {
    await previewWithin(
      memory,
      previewMenu(deps, { ...request, userId, signal: gone.signal }),
      pieces,
    );
    return pieces;
  } catch (error) {
    freeMemory(pieces);
    if (!gone.signal.aborted) throw error;
    throw callerGone();
  } finally {
    freeMemory([request.menu]);
  }
}

/** Adds the pieces of all results to `pieces`, with commas between the results. */
async function previewWithin(
  memory: Held,
  made: AsyncGenerator<readonly Uint8Array[]>,
  pieces: Uint8Array[],
): Promise<void> {
  let bytes = 0;
  for await (const result of made) {
    if (pieces.length > 0) pieces.push(Buffer.from(','));
    pieces.push(...result);
    bytes += lengthOf(result);
    if (!memory.resize(bytes)) throw serviceBusy();
  }
}

function lengthOf(pieces: readonly Uint8Array[]): number {
  return pieces.reduce((sum, { length }) => sum + length, 0);
}
