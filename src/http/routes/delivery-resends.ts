import Router from '@koa/router';
import { deliveryResendSchema } from '../../../schemas/lists';
import type { Sql } from '../../db/client';
import { findWakefulness } from '../../db/deliveries';
import {
  bindResend,
  countResendable,
  databaseNow,
  resendBatch,
  resendDelivery,
  type ResendScope,
} from '../../db/resends';
import { type Id, newId, type SubscriptionId } from '../../ids';
import type { Nudger } from '../../queue/nudger';
import { wakeSubscriptions } from '../../queue/wake-subscriptions';
import { createValidator } from '../../validation';
import { accepted, requireActiveUser, viewerOf } from '../guards';
import { findOwnSystem } from '../inventory-guards';
import { markLost } from '../mark-lost';
import { idempotent, type IdempotentDeps } from '../middleware/idempotent';
import { noBody } from '../middleware/no-body';
import { readJson, SMALL_BODY } from '../middleware/read-json';
import type { RequestContext, RequestState } from '../state';
import { findPathDelivery, toDeliveryFilter } from './deliveries';

export interface DeliveryResendDeps extends IdempotentDeps {
  readonly sql: Sql;
  readonly nudger: Nudger;
}

/** Rows in one statement of a resend by filter: far below a statement's deadline. */
const BATCH = 1_000;

const validateBody = createValidator(deliveryResendSchema);

export function deliveryResendRoutes(deps: DeliveryResendDeps): Router<RequestState> {
  const router = new Router<RequestState>();

  router.post(
    '/webhooks/deliveries/resend',
    readJson(SMALL_BODY),
    idempotent(deps),
    async (ctx) => {
      await resendMatching(deps, ctx);
    },
  );

  router.post('/webhooks/deliveries/:delivery_id/resend', noBody, idempotent(deps), async (ctx) => {
    const delivery = await findPathDelivery(deps.sql, ctx, ctx.params['delivery_id']);
    const { deliveryId, subscriptionId } = delivery;
    const { boundId, mark } = ctx.state;
    if (boundId === null && !(await resendDelivery(deps.sql, deliveryId, mark))) throw markLost();
    await wake(deps, [subscriptionId]);
    ctx.status = 202;
    ctx.body = { message: 'Success.', data: { delivery_id: deliveryId } };
  });

  return router;
}

/** Sends the ended deliveries of the caller's own systems that match again; those still pending go out anyway. */
async function resendMatching(deps: DeliveryResendDeps, ctx: RequestContext): Promise<void> {
  const { caller, mark } = ctx.state;
  const body = accepted(validateBody(ctx.state.json));
  requireActiveUser(caller);
  const filter = toDeliveryFilter(body);
  if (filter.inventorySystemId !== undefined) {
    await findOwnSystem(deps.sql, caller, filter.inventorySystemId);
  }
  const viewer = viewerOf(caller);
  if (body.dry_run) {
    const count = await countResendable(deps.sql, {
      viewer,
      filter,
      endedBefore: await databaseNow(deps.sql),
    });
    ctx.body = { message: 'Success.', data: { count } };
    return;
  }
  const bound = ctx.state.boundId as Id<'rsd'> | null;
  const resendId = bound ?? newId('rsd', Math.floor(await databaseNow(deps.sql)));
  if (!bound && !(await bindResend(deps.sql, mark, resendId))) throw markLost();
  const count = await resendAll(deps, { viewer, filter, endedBefore: timeOf(resendId) });
  ctx.status = 202;
  ctx.body = { message: 'Success.', data: { count } };
}

/** Batch by batch in order of the ids; each batch's webhooks begin to go out while the next one is written. */
async function resendAll(deps: DeliveryResendDeps, scope: ResendScope): Promise<number> {
  let count = 0;
  for (let after = ''; ;) {
    const batch = await resendBatch(deps.sql, scope, after, BATCH);
    count += batch.length;
    await wake(deps, [...new Set(batch.map((each) => each.subscriptionId))]);
    const last = batch.at(-1);
    if (!last || batch.length < BATCH) return count;
    after = last.deliveryId;
  }
}

async function wake(
  deps: DeliveryResendDeps,
  subscriptionIds: readonly SubscriptionId[],
): Promise<void> {
  wakeSubscriptions(deps.nudger, await findWakefulness(deps.sql, subscriptionIds));
}

/**
 * When a resend began, from its time-ordered id: a retry after a crash leaves alone what ended since, as its first
 * try may have sent it.
 */
function timeOf(resendId: Id<'rsd'>): number {
  return Number.parseInt(resendId.slice('rsd_'.length, 'rsd_'.length + 12), 16);
}
