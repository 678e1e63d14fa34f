import Router from '@koa/router';
import { storeLinkSchema } from '../../../schemas/inventory-system';
import type { Sql } from '../../db/client';
import { linkStore } from '../../db/store-links';
import { createValidator } from '../../validation';
import { accepted, findNamedStore, requireActiveUser, requireStore } from '../guards';
import { findOwnSystem } from '../inventory-guards';
import { idempotent, type IdempotentDeps } from '../middleware/idempotent';
import { readJson, SMALL_BODY } from '../middleware/read-json';
import type { RequestState } from '../state';

export interface StoreLinkDeps extends IdempotentDeps {
  readonly sql: Sql;
}

const validateBody = createValidator(storeLinkSchema);

export function storeLinkRoutes(deps: StoreLinkDeps): Router<RequestState> {
  const router = new Router<RequestState>();
  router.post(
    '/inventory/system/store/link',
    readJson(SMALL_BODY),
    idempotent(deps),
    async (ctx) => {
      const { caller } = ctx.state;
      const body = accepted(validateBody(ctx.state.json));
      const { inventorySystemId } = await findOwnSystem(deps.sql, caller, body.inventory_system_id);
      const access = await findNamedStore(deps.sql, caller, body.store_id);
      requireActiveUser(caller);
      requireStore(caller, access);
      const { storeId } = access;
      const externalStoreId = body.external_store_id;
      await linkStore(deps.sql, { inventorySystemId, storeId, externalStoreId });
      ctx.body = {
        message: 'Success.',
        data: {
          inventory_system_id: inventorySystemId,
          store_id: storeId,
          external_store_id: externalStoreId,
        },
      };
    },
  );
  return router;
}
