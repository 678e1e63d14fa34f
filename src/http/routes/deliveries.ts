import { deliveryListSchema } from '../../../schemas/lists';
import type { Sql } from '../../db/client';
import {
  type DeliveryFilter,
  type DeliveryView,
  findDelivery,
  listAttempts,
  listDeliveries,
} from '../../db/delivery-views';
import { oneOrTwo, type DeliveryState } from '../../domain/delivery';
import { AppError } from '../../errors';
import { isId } from '../../ids';
import { answerOf, pageOf as pageSchema, ref } from '../../openapi/answer-schemas';
import { DELIVERY, DELIVERY_ID, DELIVERY_WITH_ATTEMPTS } from '../../openapi/examples';
import type { Refusal } from '../../openapi/answers';
import { PAGE_FIELDS } from '../../openapi/refusals';
import { renderDelivery, renderDeliveryWithAttempts } from '../delivery-answers';
import { viewerOf } from '../guards';
import { requireSystemId } from '../inventory-guards';
import { pageOf, readPage } from '../paging';
import { noBody } from '../request-body';
import { noQuery, query, type Route, route, token } from '../route';
import type { RequestContext } from '../state';

export interface DeliveryDeps {
  readonly sql: Sql;
}

export const DELIVERY_MISSING: Refusal = {
  status: 404,
  sentences: ['The delivery was not found.'],
};

/** What can be wrong with a filter of deliveries. */
export const DELIVERY_FILTER_REFUSALS = {
  inventory_system_id: ['The selected inventory system id is invalid.'],
  type: ['The selected type is invalid.'],
  state: ['The selected state is invalid.'],
};

export const DELIVERY_ROUTES: readonly Route<DeliveryDeps>[] = [
  route({
    id: 'getDelivery',
    method: 'get',
    path: '/api/v1/webhooks/deliveries/{delivery_id}',
    parameters: { delivery_id: DELIVERY_ID },
    group: 'Deliveries',
    summary: 'See one delivery',
    description:
      'With its attempts. For the owner of the inventory system, users of the store, and operators.',
    access: token(),
    idempotency: 'none',
    query: noQuery,
    body: noBody,
    answers: [
      {
        status: 200,
        schema: answerOf(ref('DeliveryWithAttempts')),
        examples: { acknowledged: { message: 'Success.', data: DELIVERY_WITH_ATTEMPTS } },
      },
      DELIVERY_MISSING,
    ],
    async handle({ sql }: DeliveryDeps, { ctx, params }) {
      const delivery = await findPathDelivery(sql, ctx, params.delivery_id);
      const attempts = await listAttempts(sql, delivery.deliveryId);
      ctx.body = { message: 'Success.', data: renderDeliveryWithAttempts(delivery, attempts) };
    },
  }),
  route({
    id: 'listDeliveries',
    method: 'get',
    path: '/api/v1/webhooks/deliveries',
    parameters: {},
    group: 'Deliveries',
    summary: 'List deliveries',
    description: 'Newest first.',
    access: token(),
    idempotency: 'none',
    query: query(deliveryListSchema),
    body: noBody,
    answers: [
      {
        status: 200,
        schema: pageSchema(ref('Delivery')),
        examples: { page: { message: 'Success.', data: [DELIVERY], next_cursor: null } },
      },
      {
        status: 422,
        fields: {
          ...DELIVERY_FILTER_REFUSALS,
          ...PAGE_FIELDS,
        },
      },
    ],
    async handle({ sql }: DeliveryDeps, { ctx, query: given }) {
      const page = readPage((text) => isId('dlv', text), given);
      const rows = await listDeliveries(sql, viewerOf(ctx.state.caller), {
        ...toDeliveryFilter(given),
        ...(page.before === undefined ? {} : { before: page.before }),
        limit: page.limit + 1,
      });
      ctx.body = pageOf(rows, page, (row) => row.deliveryId, renderDelivery);
    },
  }),
];

/** The delivery named in a path; somebody else's is as unknown as one that never was. */
export async function findPathDelivery(
  sql: Sql,
  ctx: RequestContext,
  deliveryId: string,
): Promise<DeliveryView> {
  const found = isId('dlv', deliveryId)
    ? await findDelivery(sql, viewerOf(ctx.state.caller), deliveryId)
    : undefined;
  if (!found) throw new AppError('not_found', 'The delivery was not found.');
  return found;
}

/** The filter of the list and of the resend; a system that is unknown or foreign simply has no deliveries to show. */
export function toDeliveryFilter(given: {
  readonly inventory_system_id?: string | null | undefined;
  readonly type?: string | number | null | undefined;
  readonly state?: DeliveryState | null | undefined;
}): DeliveryFilter {
  const { inventory_system_id: inventorySystemId, type, state } = given;
  return {
    ...(isGiven(inventorySystemId)
      ? { inventorySystemId: requireSystemId(inventorySystemId) }
      : {}),
    ...(type ? { type: oneOrTwo(type) } : {}),
    ...(state ? { state } : {}),
  };
}

function isGiven<T>(value: T | null | undefined): value is T {
  return value !== null && value !== undefined;
}
