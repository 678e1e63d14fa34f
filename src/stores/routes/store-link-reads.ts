import { pageSchema } from '../../../schemas/lists';
import type { Sql } from '../../platform/db/client';
import { deleteLink, findLinkAccess, type LinkAccess, listLinks } from '../sql/store-link-views';
import type { StoreLink } from '../sql/store-links';
import { AppError } from '../../platform/errors';
import { answerOf, pageAnswer, ref } from '../../contract/answer-schemas';
import { LINK, SYSTEM_ID } from '../../contract/examples';
import { DELETED, PAGE_REFUSALS, SYSTEM_MISSING } from '../../contract/refusals';
import { discardWaiting } from '../../webhooks/sql/discards';
import { findToActOn, parseRowId, viewerOf } from '../../users/guards';
import type { Viewer } from '../../users/sql/users';
import { findSeenPathSystem, requirePathSystemId, systemNotFound } from '../../inventory/guards';
import { pageOf, readPage } from '../../http/paging';
import { noBody } from '../../http/body/request-body';
import { noQuery, query, type Route, route, token } from '../../http/route';

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
      const system = await findSeenPathSystem(sql, ctx.state.caller, params.inventory_system_id);
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
      const access = await findLinkSeenBy(sql, viewerOf(ctx.state.caller), params);
      const link = requireLink(access, params);
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
    access: token({ acts: true }),
    idempotency: 'none',
    query: noQuery,
    body: noBody,
    answers: [DELETED, LINK_MISSING],
    async handle({ sql }: StoreLinkReadDeps, { ctx, params }) {
      const access = await findToActOn(ctx.state.caller, (viewer) =>
        findLinkSeenBy(sql, viewer, params),
      );
      const { inventorySystemId, storeId } = requireLink(access, params);
      if (!(await deleteLink(sql, inventorySystemId, storeId))) throw linkNotFound();
      await discardWaiting(sql);
      ctx.body = { message: 'Success.', data: null };
    },
  }),
];

interface LinkParameters {
  readonly inventory_system_id: string;
  readonly store_id: string;
}

/** The link named in a path, if the viewer has its system or its store. */
async function findLinkSeenBy(
  sql: Sql,
  viewer: Viewer,
  params: LinkParameters,
): Promise<LinkAccess | undefined> {
  const inventorySystemId = requirePathSystemId(params.inventory_system_id);
  const storeId = parseRowId(params.store_id) ?? null;
  const access = await findLinkAccess(sql, viewer, inventorySystemId, storeId);
  return access?.ownsSystem || access?.hasStore ? access : undefined;
}

/** The link itself; throws the 404 if the system is not seen, or not linked to the store. */
function requireLink(access: LinkAccess | undefined, params: LinkParameters): StoreLink {
  if (!access) throw systemNotFound();
  const inventorySystemId = requirePathSystemId(params.inventory_system_id);
  const storeId = parseRowId(params.store_id);
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
