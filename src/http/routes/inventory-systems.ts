import { randomUUID } from 'node:crypto';
import { inventorySystemCreateSchema } from '../../../schemas/inventory-system';
import type { Sql } from '../../db/client';
import { findInventorySystem, insertInventorySystem } from '../../db/inventory-systems';
import { storeNameKey } from '../../db/stores';
import { AppError } from '../../errors';
import { answerOf, ref } from '../../openapi/answer-schemas';
import { SYSTEM } from '../../openapi/examples';
import { renderSystem } from '../inventory-guards';
import { markLost } from '../mark-lost';
import { jsonBody, SMALL_BODY } from '../request-body';
import { noQuery, type Route, route, token } from '../route';
import type { RequestContext } from '../state';

export interface InventorySystemDeps {
  readonly sql: Sql;
}

export const INVENTORY_SYSTEM_ROUTES: readonly Route<InventorySystemDeps>[] = [
  route({
    id: 'createInventorySystem',
    method: 'post',
    path: '/api/v1/inventory/system/create',
    parameters: {},
    group: 'Inventory systems',
    summary: 'Create an inventory system',
    description: 'You own the system that you create: its webhooks and their deliveries are yours.',
    access: token({ permission: 'inventory:create' }),
    idempotency: 'kept',
    query: noQuery,
    body: jsonBody({
      name: 'InventorySystemCreate',
      schema: inventorySystemCreateSchema,
      maxBytes: SMALL_BODY,
      example: { name: 'Stock Inc' },
    }),
    answers: [
      {
        status: 201,
        schema: answerOf(ref('InventorySystem')),
        examples: {
          created: {
            message: 'Success.',
            data: SYSTEM,
          },
        },
      },
      {
        status: 409,
        when: 'In the whole deployment; case does not count.',
        sentences: ['The Inventory System already exists.'],
      },
      { status: 422, fields: { name: ['The name field is required.'] } },
    ],
    async handle({ sql }: InventorySystemDeps, { ctx, body }) {
      const name = body.name.trim();
      const inventorySystemId = await createSystem(sql, ctx, name);
      ctx.status = 201;
      ctx.body = {
        message: 'Success.',
        data: renderSystem({ inventorySystemId, name }),
      };
    },
  }),
];

/** Its id. A retry of a request whose process died finds the system that it had made. */
async function createSystem(sql: Sql, ctx: RequestContext, name: string): Promise<string> {
  const taken = new AppError('already_exists', 'The Inventory System already exists.');
  const { boundId, caller, mark } = ctx.state;
  if (boundId !== null) {
    if (await findInventorySystem(sql, boundId)) return boundId;
    throw taken;
  }
  const inventorySystemId = randomUUID();
  const inserted = await insertInventorySystem(sql, {
    inventorySystemId,
    name,
    nameKey: storeNameKey(name),
    createdBy: caller.userId,
    mark,
  });
  switch (inserted) {
    case 'made':
      return inventorySystemId;
    case 'taken':
      throw taken;
    case 'mark_lost':
      throw markLost();
  }
}
