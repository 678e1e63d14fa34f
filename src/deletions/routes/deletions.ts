import type { Sql } from '../../platform/db/client';
import type { StoreAccess } from '../../users/sql/store-access';
import { deleteInventorySystem, deleteStore } from '../sql/deletions';
import type { TokenOwner } from '../../users/sql/users';
import type { Refusal } from '../../contract/answers';
import { SYSTEM_ID } from '../../contract/examples';
import { DELETED, STORE_FOREIGN, STORE_MISSING, SYSTEM_MISSING } from '../../contract/refusals';
import { discardWaiting, deleteSubscription } from '../../webhooks/sql/discards';
import { requirePermission, requireStore, findPathStore, storeNotFound } from '../../users/guards';
import { findOwnPathSystem, systemNotFound } from '../../inventory/guards';
import { noBody } from '../../http/body/request-body';
import { noQuery, type Route, route, token } from '../../http/route';
import { webhookNotFound } from '../../webhooks/selected-webhook';

export interface DeletionDeps {
  readonly sql: Sql;
}

const NOT_THE_CREATOR: Refusal = {
  status: 403,
  when: 'You have the store, but another user created it.',
  sentences: ['You do not have the permissions to access this resource.'],
};

const WEBHOOK_OR_SYSTEM_MISSING: Refusal = {
  status: 404,
  sentences: [...SYSTEM_MISSING.sentences, 'The webhook was not found.'],
};

const deletion = {
  method: 'delete',
  access: token({ acts: true }),
  idempotency: 'none',
  query: noQuery,
  body: noBody,
} as const;

/** Deletes stores, systems and webhooks, together with what waits for them. */
export const DELETION_ROUTES: readonly Route<DeletionDeps>[] = [
  route({
    ...deletion,
    id: 'deleteStore',
    path: '/api/v1/store/{store_id}',
    parameters: { store_id: '1' },
    group: 'Stores',
    summary: 'Delete a store',
    description:
      'For the user who created it and for operators. Nothing more is accepted for it, its links end, waiting uploads end `canceled` and waiting deliveries `discarded`; work in progress finishes, and the delivery apps stay as they are.',
    answers: [DELETED, NOT_THE_CREATOR, STORE_MISSING, STORE_FOREIGN],
    async handle({ sql }: DeletionDeps, { ctx, params }) {
      const { caller } = ctx.state;
      const access = await findPathStore(sql, caller, params.store_id);
      requireCreator(caller, access);
      if (!(await deleteStore(sql, access.storeId))) throw storeNotFound();
      await discardWaiting(sql);
      ctx.body = { message: 'Success.', data: null };
    },
  }),
  route({
    ...deletion,
    id: 'deleteInventorySystem',
    path: '/api/v1/inventory/system/{inventory_system_id}',
    parameters: { inventory_system_id: SYSTEM_ID },
    group: 'Inventory systems',
    summary: 'Delete an inventory system',
    description: 'Its webhooks and links end with it; waiting deliveries end `discarded`.',
    answers: [DELETED, SYSTEM_MISSING],
    async handle({ sql }: DeletionDeps, { ctx, params }) {
      const system = await findOwnPathSystem(sql, ctx.state.caller, params.inventory_system_id);
      if (!(await deleteInventorySystem(sql, system.inventorySystemId))) throw systemNotFound();
      await discardWaiting(sql);
      ctx.body = { message: 'Success.', data: null };
    },
  }),
  route({
    ...deletion,
    id: 'deleteWebhook',
    path: '/api/v1/inventory/system/{inventory_system_id}/webhook/{type}',
    parameters: { inventory_system_id: SYSTEM_ID, type: '2' },
    group: 'Webhooks',
    summary: 'Delete a webhook',
    description:
      'Waiting deliveries end `discarded`. A webhook that is registered again has a new secret, and its `webhook-sequence` continues.',
    answers: [DELETED, WEBHOOK_OR_SYSTEM_MISSING],
    async handle({ sql }: DeletionDeps, { ctx, params }) {
      const { inventorySystemId } = await findOwnPathSystem(
        sql,
        ctx.state.caller,
        params.inventory_system_id,
      );
      const type = pathType(params.type);
      if (!(await deleteSubscription(sql, { inventorySystemId, type }))) throw webhookNotFound();
      await discardWaiting(sql);
      ctx.body = { message: 'Success.', data: null };
    },
  }),
];

/**
 * Whether the caller may delete the store; throws the 409 of another user's store, and the 403 of one that was only
 * granted.
 */
function requireCreator(caller: TokenOwner, access: StoreAccess): void {
  if (access.createdBy === caller.userId) return;
  requireStore(caller, access);
  requirePermission(caller, 'operator');
}

function pathType(text: string): 1 | 2 {
  switch (text) {
    case '1':
      return 1;
    case '2':
      return 2;
    default:
      throw webhookNotFound();
  }
}
