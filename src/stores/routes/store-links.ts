import { storeLinkSchema } from '../../../schemas/inventory-system';
import type { Bound } from '../../platform/admission/bound-metrics';
import type { Sql } from '../../platform/db/client';
import { linkStore } from '../sql/store-links';
import { AppError } from '../../platform/errors';
import { answerOf, ref } from '../../contract/answer-schemas';
import { LINK } from '../../contract/examples';
import { findNamedStore, isOperator, requireStore, unknownStore } from '../../users/guards';
import { findOwnSystem, unknownSystem } from '../../inventory/guards';
import { jsonBody, SMALL_BODY } from '../../http/body/request-body';
import { noQuery, type Route, route, token } from '../../http/route';

export interface StoreLinkDeps {
  readonly sql: Sql;
  /** Limits the systems to which one store is linked. */
  readonly storeLinks: Bound;
}

export const STORE_LINK_ROUTES: readonly Route<StoreLinkDeps>[] = [
  route({
    id: 'linkStore',
    method: 'post',
    path: '/api/v1/inventory/system/store/link',
    parameters: {},
    group: 'Inventory systems',
    summary: 'Link a store',
    description:
      'Sets the store’s id in the inventory system. Linking again changes the id; a store may be linked to 64 systems. ' +
      'The link ends when neither who made it nor the system’s owner has the store any more; one made by an operator stays until it is ended.',
    access: token({ acts: true }),
    idempotency: 'kept',
    query: noQuery,
    body: jsonBody({
      name: 'StoreLink',
      schema: storeLinkSchema,
      maxBytes: SMALL_BODY,
      example: LINK,
    }),
    answers: [
      {
        status: 200,
        schema: answerOf(ref('StoreLinkAnswer')),
        examples: { linked: { message: 'Success.', data: LINK } },
      },
      {
        status: 409,
        sentences: [
          "You don't have this store available.",
          'The store is linked to too many inventory systems.',
        ],
      },
      {
        status: 422,
        fields: {
          inventory_system_id: [
            'The inventory system id field is required.',
            'The selected inventory system id is invalid.',
          ],
          store_id: ['The store id field is required.', 'The selected store id is invalid.'],
          external_store_id: ['The external store id field is required.'],
        },
      },
    ],
    async handle({ sql, storeLinks }: StoreLinkDeps, { ctx, body }) {
      const { caller } = ctx.state;
      const { inventorySystemId } = await findOwnSystem(sql, caller, body.inventory_system_id);
      const access = await findNamedStore(sql, caller, body.store_id);
      requireStore(caller, access);
      const { storeId } = access;
      const externalStoreId = body.external_store_id;
      const result = await linkStore(sql, {
        inventorySystemId,
        storeId,
        externalStoreId,
        madeBy: caller.userId,
        byOperator: isOperator(caller),
      });
      if (result === 'store_gone') throw unknownStore(body.store_id);
      if (result === 'system_gone') throw unknownSystem(body.inventory_system_id);
      if (result === 'too_many') {
        storeLinks.hit(caller.userId);
        throw new AppError('too_many_links', 'The store is linked to too many inventory systems.');
      }
      storeLinks.meet(result.linked);
      ctx.body = {
        message: 'Success.',
        data: {
          inventory_system_id: inventorySystemId,
          store_id: storeId,
          external_store_id: externalStoreId,
        },
      };
    },
  }),
];
