import { pageSchema } from '../../../schemas/lists';
import { toNameKey } from '../../platform/text/name-key';
import { inventorySystemChangeSchema } from '../../../schemas/inventory-system';
import type { Sql } from '../../platform/db/client';
import {
  listInventorySystems,
  type ListedSystem,
  renameInventorySystem,
  type SystemPosition,
} from '../sql/inventory-systems';
import { AppError } from '../../platform/errors';
import { answerOf, pageAnswer, ref } from '../../contract/answer-schemas';
import { SYSTEM, SYSTEM_ID } from '../../contract/examples';
import { PAGE_REFUSALS, SYSTEM_MISSING } from '../../contract/refusals';
import { viewerOf } from '../../users/guards';
import { findOwnPathSystem, findSeenPathSystem, renderSystem, systemNotFound } from '../guards';
import { pageOf, readPage } from '../../http/paging';
import { jsonBody, noBody, SMALL_BODY } from '../../http/body/request-body';
import { noQuery, query, type Route, route, token } from '../../http/route';

export interface InventorySystemReadDeps {
  readonly sql: Sql;
}

/** The last row of a page of systems: its time of creation, µs, and its id. */
const CURSOR = /^(\d{1,16})_([0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12})$/;

/** An integrator's own systems: list, show and rename. */
export const INVENTORY_SYSTEM_READ_ROUTES: readonly Route<InventorySystemReadDeps>[] = [
  route({
    id: 'listInventorySystems',
    method: 'get',
    path: '/api/v1/inventory/system',
    parameters: {},
    group: 'Inventory systems',
    summary: 'List inventory systems',
    description: 'The systems that you created, newest first; operators see all.',
    access: token(),
    idempotency: 'none',
    query: query(pageSchema),
    body: noBody,
    answers: [
      {
        status: 200,
        schema: pageAnswer(ref('InventorySystem')),
        examples: { page: { message: 'Success.', data: [SYSTEM], next_cursor: null } },
      },
      PAGE_REFUSALS,
    ],
    async handle({ sql }: InventorySystemReadDeps, { ctx, query: given }) {
      const page = readPage(readPosition, given);
      const rows = await listInventorySystems(sql, viewerOf(ctx.state.caller), page.wanted);
      ctx.body = pageOf(rows, page, writePosition, renderSystem);
    },
  }),
  route({
    id: 'getInventorySystem',
    method: 'get',
    path: '/api/v1/inventory/system/{inventory_system_id}',
    parameters: { inventory_system_id: SYSTEM_ID },
    group: 'Inventory systems',
    summary: 'See one inventory system',
    access: token(),
    idempotency: 'none',
    query: noQuery,
    body: noBody,
    answers: [
      {
        status: 200,
        schema: answerOf(ref('InventorySystem')),
        examples: { system: { message: 'Success.', data: SYSTEM } },
      },
      SYSTEM_MISSING,
    ],
    async handle({ sql }: InventorySystemReadDeps, { ctx, params }) {
      const system = await findSeenPathSystem(sql, ctx.state.caller, params.inventory_system_id);
      ctx.body = { message: 'Success.', data: renderSystem(system) };
    },
  }),
  route({
    id: 'changeInventorySystem',
    method: 'patch',
    path: '/api/v1/inventory/system/{inventory_system_id}',
    parameters: { inventory_system_id: SYSTEM_ID },
    group: 'Inventory systems',
    summary: 'Rename an inventory system',
    access: token({ acts: true }),
    idempotency: 'none',
    query: noQuery,
    body: jsonBody({
      name: 'InventorySystemChange',
      schema: inventorySystemChangeSchema,
      maxBytes: SMALL_BODY,
      example: { name: 'Stock Inc' },
    }),
    answers: [
      {
        status: 200,
        schema: answerOf(ref('InventorySystem')),
        examples: { changed: { message: 'Success.', data: SYSTEM } },
      },
      SYSTEM_MISSING,
      {
        status: 409,
        when: 'In the whole deployment; case is ignored.',
        sentences: ['The Inventory System already exists.'],
      },
      { status: 422, fields: { name: ['The name field is required.'] } },
    ],
    async handle({ sql }: InventorySystemReadDeps, { ctx, params, body }) {
      const system = await findOwnPathSystem(sql, ctx.state.caller, params.inventory_system_id);
      const name = body.name?.trim();
      const changed =
        name === undefined
          ? system
          : await renameInventorySystem(sql, system.inventorySystemId, name, toNameKey(name));
      if (changed === undefined) throw systemNotFound();
      if (changed === 'taken') {
        throw new AppError('already_exists', 'The Inventory System already exists.');
      }
      ctx.body = { message: 'Success.', data: renderSystem(changed) };
    },
  }),
];

function readPosition(text: string): SystemPosition | undefined {
  const [, createdAtUs, inventorySystemId] = CURSOR.exec(text) ?? [];
  if (createdAtUs === undefined || inventorySystemId === undefined) return undefined;
  return { createdAtUs: Number(createdAtUs), inventorySystemId };
}

function writePosition({ createdAtUs, inventorySystemId }: ListedSystem): string {
  return `${createdAtUs}_${inventorySystemId}`;
}
