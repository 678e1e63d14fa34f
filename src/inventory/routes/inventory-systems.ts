import { randomUUID } from 'node:crypto';
import { toNameKey } from '../../platform/text/name-key';
import { inventorySystemCreateSchema } from '../../../schemas/inventory-system';
import type { Sql } from '../../platform/db/client';
import { findInventorySystem, insertInventorySystem } from '../sql/inventory-systems';
import { AppError } from '../../platform/errors';
import { answerOf, ref } from '../../contract/answer-schemas';
import { SYSTEM } from '../../contract/examples';
import { renderSystem } from '../guards';
import { keyLost } from '../../http/idempotency-key-lost';
import { jsonBody, SMALL_BODY } from '../../http/body/request-body';
import { noQuery, type Route, route, token } from '../../http/route';
import type { RequestContext } from '../../http/state';

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
        when: 'In the whole deployment; case is ignored.',
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

/** Returns its id. A retry of a request whose process died finds the system that the first try created. */
async function createSystem(sql: Sql, ctx: RequestContext, name: string): Promise<string> {
  const taken = new AppError('already_exists', 'The Inventory System already exists.');
  const { boundId, caller, heldKey } = ctx.state;
  if (boundId !== null) {
    if (await findInventorySystem(sql, boundId)) return boundId;
    throw taken;
  }
  const inventorySystemId = randomUUID();
  const inserted = await insertInventorySystem(sql, {
    inventorySystemId,
    name,
    nameKey: toNameKey(name),
    createdBy: caller.userId,
    heldKey,
  });
  switch (inserted) {
    case 'made':
      return inventorySystemId;
    case 'taken':
      throw taken;
    case 'key_lost':
      throw keyLost();
  }
}
