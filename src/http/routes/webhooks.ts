import Router from '@koa/router';
import {
  webhookManageSchema,
  webhookSelectSchema,
  type WebhookSelect,
} from '../../../schemas/webhook';
import type { Config } from '../../config';
import { findWakefulness } from '../../db/deliveries';
import {
  disableSubscription,
  enableSubscription,
  findSubscription,
  saveSubscription,
  type SubscriptionKey,
  type SubscriptionRow,
} from '../../db/subscriptions';
import { oneOrTwo } from '../../domain/delivery';
import { AppError, fieldError } from '../../errors';
import { newId, type SubscriptionId } from '../../ids';
import { checkWebhookUrl } from '../../outbound/check-url';
import type { Lookup } from '../../outbound/resolve-host';
import type { Nudger } from '../../queue/nudger';
import { wakeSubscriptions } from '../../queue/wake-subscriptions';
import { createValidator } from '../../validation';
import { accepted, requireActiveUser } from '../guards';
import { findOwnSystem } from '../inventory-guards';
import { markLost } from '../mark-lost';
import { idempotent, type IdempotentDeps } from '../middleware/idempotent';
import { readJson, SMALL_BODY } from '../middleware/read-json';
import type { RequestContext, RequestState } from '../state';
import { revealSecret, sealNewSecret } from '../webhook-secrets';

export interface WebhookDeps extends IdempotentDeps {
  readonly nudger: Nudger;
  readonly lookup: Lookup;
  readonly settings: Pick<Config, 'WEBHOOK_ALLOW_HTTP' | 'OUTBOUND_ALLOW_CIDRS'>;
}

const validateManage = createValidator(webhookManageSchema);
const validateSelect = createValidator(webhookSelectSchema);

/** The registered webhook of an inventory system for one type: made, changed, turned on and off. */
export function webhookRoutes(deps: WebhookDeps): Router<RequestState> {
  const router = new Router<RequestState>();
  const path = '/inventory/system/webhook';
  const guards = [readJson(SMALL_BODY), idempotent(deps)];

  router.post(`${path}/manage`, ...guards, async (ctx) => {
    await manageWebhook(deps, ctx);
  });

  router.post(`${path}/enable`, ...guards, async (ctx) => {
    const key = await selectWebhook(deps, ctx, accepted(validateSelect(ctx.state.json)));
    const subscription = requireWebhook(await enableSubscription(deps.sql, key));
    await wake(deps, subscription.subscriptionId);
    ctx.body = { message: 'Success.', data: renderSubscription(subscription) };
  });

  router.post(`${path}/disable`, ...guards, async (ctx) => {
    const key = await selectWebhook(deps, ctx, accepted(validateSelect(ctx.state.json)));
    const subscription = requireWebhook(await disableSubscription(deps.sql, key));
    ctx.body = { message: 'Success.', data: renderSubscription(subscription) };
  });

  return router;
}

/** Which subscription a body means: its system must be the caller's. */
export async function selectWebhook(
  deps: Pick<WebhookDeps, 'sql'>,
  ctx: RequestContext,
  body: WebhookSelect,
): Promise<SubscriptionKey> {
  const { caller } = ctx.state;
  const { inventorySystemId } = await findOwnSystem(deps.sql, caller, body.inventory_system_id);
  requireActiveUser(caller);
  return { inventorySystemId, type: oneOrTwo(body.type) };
}

export function requireWebhook(subscription: SubscriptionRow | undefined): SubscriptionRow {
  if (subscription) return subscription;
  throw new AppError('not_found', 'The webhook was not found.');
}

async function manageWebhook(deps: WebhookDeps, ctx: RequestContext): Promise<void> {
  const body = accepted(validateManage(ctx.state.json));
  const key = await selectWebhook(deps, ctx, body);
  const url = await requireAllowedUrl(deps, body.url);
  // A retry of a request whose process died finds the change made; only if the webhook has the bound id it was new.
  const bound = ctx.state.boundId as SubscriptionId | null;
  const newSubscriptionId = bound ?? newId('sub');
  const subscription = bound
    ? await findSubscription(deps.sql, key)
    : await saveSubscription(deps.sql, {
        ...key,
        newId: newSubscriptionId,
        newSecretEncrypted: sealNewSecret(deps.secrets, newSubscriptionId),
        url,
        maxInFlight: body.max_in_flight ?? null,
        mark: ctx.state.mark,
      });
  if (!subscription) throw markLost();
  const { subscriptionId, type, inventorySystemId, state } = subscription;
  const data = { type, inventory_system_id: inventorySystemId, url: subscription.url, state };
  if (subscriptionId === newSubscriptionId) {
    const { secret } = await revealSecret(deps, subscriptionId);
    ctx.body = { message: 'Success.', data: { ...data, secret } };
    return;
  }
  // The change may have ended a pause.
  await wake(deps, subscriptionId);
  ctx.body = { message: 'Success.', data };
}

async function requireAllowedUrl(deps: WebhookDeps, url: string): Promise<string> {
  const check = await checkWebhookUrl(url, {
    allowHttp: deps.settings.WEBHOOK_ALLOW_HTTP,
    allowCidrs: deps.settings.OUTBOUND_ALLOW_CIDRS,
    lookup: deps.lookup,
  });
  if (check.ok) return check.url;
  throw fieldError('url', 'The url is not allowed.');
}

async function wake(deps: WebhookDeps, subscriptionId: SubscriptionId): Promise<void> {
  wakeSubscriptions(deps.nudger, await findWakefulness(deps.sql, [subscriptionId]));
}

function renderSubscription(subscription: SubscriptionRow) {
  return {
    type: subscription.type,
    inventory_system_id: subscription.inventorySystemId,
    url: subscription.url,
    state: subscription.state,
    disabled_reason: subscription.disabledReason,
  };
}
