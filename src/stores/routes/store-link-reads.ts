import { pageSchema } from '../../../schemas/lists';
import type { Sql } from '../../platform/db/client';
import { deleteLink, findLinkAccess, listLinks } from '../sql/store-link-views';
import type { StoreLink } from '../sql/store-links';
import { AppError } from '../../platform/errors';
import { answerOf, pageAnswer, ref } from '../../contract/answer-schemas';
import { LINK, SYSTEM_ID } from '../../contract/examples';
import { DELETED, PAGE_REFUSALS, SYSTEM_MISSING } from '../../contract/refusals';
import { discardWaiting } from '../../webhooks/sql/discards';
import { parseRowId, viewerOf } from '../../users/guards';
import { findOwnPathSystem, requirePathSystemId, systemNotFound } from '../../inventory/guards';
import { pageOf, readPage } from '../../http/paging';
import { noBody } from '../../http/body/request-body';
import { noQuery, query, type Route, route, token } from '../../http/route';
import type { RequestContext } from '../../http/state';

export interface StoreLinkReadDeps {
  readonly sql: Sql;
}

const LINK_MISSING = {
  status: 404,
  when: 'The system is unknown or belongs to another user, or they are not linked.',
  sentences: [...SYSTEM_MISSING.sentences, 'The link was not found.'],
};

const ONE_LINK = '/api/v1/inventory/system/{inventory_system_id}/store/link/{store_id}';

/** The links between systems and stores: list, show and delete. */
export const STORE_LINK_READ_ROUTES: readonly Route<StoreLinkReadDeps>[] = [
  route({
    id: 'listStoreLinks',
    method: 'get',
    path: '/api/v1/inventory/system/{inventory_system_id}/store/link',
    parameters: { inventory_system_id: SYSTEM_ID },
    group: 'Inventory systems',
    summary: 'List the stores that a system is linked to',
    description: 'The newest store first.',
    access: token(),
    idempotency: 'none',
    query: query(pageSchema),
    body: noBody,
    answers: [
      {
        status: 200,
        schema: pageAnswer(ref('StoreLinkAnswer')),
        examples: { page: { message: 'Success.', data: [LINK], next_cursor: null } },
      },
      SYSTEM_MISSING,
      PAGE_REFUSALS,
    ],
    async handle({ sql }: StoreLinkReadDeps, { ctx, params, query: given }) {
      const page = readPage(parseRowId, given);
      const system = await findOwnPathSystem(sql, ctx.state.caller, params.inventory_system_id);
      const rows = await listLinks(sql, system.inventorySystemId, page.wanted);
      ctx.body = pageOf(rows, page, (row) => String(row.storeId), renderLink);
    },
  }),
  route({
    id: 'getStoreLink',
    method: 'get',
    path: ONE_LINK,
    parameters: { inventory_system_id: SYSTEM_ID, store_id: '1' },
    group: 'Inventory systems',
    summary: 'See one link',
    description: 'For users who have the system or the store.',
    access: token(),
    idempotency: 'none',
    query: noQuery,
    body: noBody,
    answers: [
      {
        status: 200,
        schema: answerOf(ref('StoreLinkAnswer')),
        examples: { link: { message: 'Success.', data: LINK } },
      },
      LINK_MISSING,
    ],
    async handle({ sql }: StoreLinkReadDeps, { ctx, params }) {
      const link = await findPathLink(sql, ctx, params);
      ctx.body = { message: 'Success.', data: renderLink(link) };
    },
  }),
  route({
    id: 'unlinkStore',
    method: 'delete',
    path: ONE_LINK,
    parameters: { inventory_system_id: SYSTEM_ID, store_id: '1' },
    group: 'Inventory systems',
    summary: 'End a link',
    description:
      'For users who have the system or the store. The store’s waiting deliveries to the system end `discarded`.',
    access: token(),
    idempotency: 'none',
    query: noQuery,
    body: noBody,
    answers: [DELETED, LINK_MISSING],
    async handle({ sql }: StoreLinkReadDeps, { ctx, params }) {
      const { inventorySystemId, storeId } = await findPathLink(sql, ctx, params);
      if (!(await deleteLink(sql, inventorySystemId, storeId))) throw linkNotFound();
      await discardWaiting(sql);
      ctx.body = { message: 'Success.', data: null };
    },
  }),
];

/** The link named in a path, if the caller has its system or its store. */
async function findPathLink(
  sql: Sql,
  ctx: RequestContext,
  params: { readonly inventory_system_id: string; readonly store_id: string },
): Promise<StoreLink> {
  const inventorySystemId = requirePathSystemId(params.inventory_system_id);
  const storeId = parseRowId(params.store_id);
  const viewer = viewerOf(ctx.state.caller);
  const access = await findLinkAccess(sql, viewer, inventorySystemId, storeId ?? null);
  if (!access || (!access.ownsSystem && !access.hasStore)) throw systemNotFound();
  const { externalStoreId } = access;
  if (storeId === undefined || externalStoreId === null) throw linkNotFound();
  return { inventorySystemId, storeId, externalStoreId };
}

function linkNotFound(): AppError {
  return new AppError('not_found', 'The link was not found.');
}

function renderLink(link: StoreLink) {
  return {
    inventory_system_id: link.inventorySystemId,
    store_id: link.storeId,
    external_store_id: link.externalStoreId,
  };
}
