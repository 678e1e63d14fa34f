import Router from '@koa/router';
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
import { createValidator } from '../../validation';
import { renderDelivery, renderDeliveryWithAttempts } from '../delivery-answers';
import { accepted, requireActiveUser, viewerOf } from '../guards';
import { requireSystemId } from '../inventory-guards';
import { pageOf, readPage } from '../paging';
import type { RequestContext, RequestState } from '../state';

export interface DeliveryDeps {
  readonly sql: Sql;
}

const validateQuery = createValidator(deliveryListSchema);

export function deliveryRoutes({ sql }: DeliveryDeps): Router<RequestState> {
  const router = new Router<RequestState>();

  router.get('/webhooks/deliveries', async (ctx) => {
    const query = accepted(validateQuery(ctx.query));
    requireActiveUser(ctx.state.caller);
    const page = readPage('dlv', query);
    const rows = await listDeliveries(sql, viewerOf(ctx.state.caller), {
      ...toDeliveryFilter(query),
      ...(page.before === undefined ? {} : { before: page.before }),
      limit: page.limit + 1,
    });
    ctx.body = pageOf(rows, page, (row) => row.deliveryId, renderDelivery);
  });

  router.get('/webhooks/deliveries/:delivery_id', async (ctx) => {
    const delivery = await findPathDelivery(sql, ctx, ctx.params['delivery_id']);
    const attempts = await listAttempts(sql, delivery.deliveryId);
    ctx.body = { message: 'Success.', data: renderDeliveryWithAttempts(delivery, attempts) };
  });

  return router;
}

/** The delivery named in a path; somebody else's is as unknown as one that never was. */
export async function findPathDelivery(
  sql: Sql,
  ctx: RequestContext,
  deliveryId = '',
): Promise<DeliveryView> {
  const { caller } = ctx.state;
  requireActiveUser(caller);
  const found = isId('dlv', deliveryId)
    ? await findDelivery(sql, viewerOf(caller), deliveryId)
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
