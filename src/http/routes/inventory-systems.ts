import { randomUUID } from 'node:crypto';
import Router from '@koa/router';
import { inventorySystemCreateSchema } from '../../../schemas/inventory-system';
import type { Sql } from '../../db/client';
import { findInventorySystem, insertInventorySystem } from '../../db/inventory-systems';
import { storeNameKey } from '../../db/stores';
import { AppError } from '../../errors';
import { createValidator } from '../../validation';
import { accepted, requireActiveUser, requirePermission } from '../guards';
import { markLost } from '../mark-lost';
import { idempotent, type IdempotentDeps } from '../middleware/idempotent';
import { readJson, SMALL_BODY } from '../middleware/read-json';
import type { RequestContext, RequestState } from '../state';

export interface InventorySystemDeps extends IdempotentDeps {
  readonly sql: Sql;
}

const validateBody = createValidator(inventorySystemCreateSchema);

export function inventorySystemRoutes(deps: InventorySystemDeps): Router<RequestState> {
  const router = new Router<RequestState>();
  router.post('/inventory/system/create', readJson(SMALL_BODY), idempotent(deps), async (ctx) => {
    const { name } = accepted(validateBody(ctx.state.json));
    requirePermission(ctx.state.caller, 'inventory:create');
    requireActiveUser(ctx.state.caller);
    const inventorySystemId = await createSystem(deps.sql, ctx, name.trim());
    ctx.status = 201;
    ctx.body = {
      message: 'Success.',
      data: {
        inventory_system_id: inventorySystemId,
        inventory_system_details: { name: name.trim() },
      },
    };
  });
  return router;
}

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
