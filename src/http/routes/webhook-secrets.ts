import Router from '@koa/router';
import { webhookRotateSchema } from '../../../schemas/webhook';
import { findSubscription, rotateSubscriptionSecret } from '../../db/subscriptions';
import type { SubscriptionId } from '../../ids';
import { createValidator } from '../../validation';
import { accepted } from '../guards';
import { markLost } from '../mark-lost';
import { idempotent, type IdempotentDeps } from '../middleware/idempotent';
import { readJson, SMALL_BODY } from '../middleware/read-json';
import type { RequestContext, RequestState } from '../state';
import { revealSecret, sealNewSecret } from '../webhook-secrets';
import { requireWebhook, selectWebhook } from './webhooks';

const DEFAULT_GRACE_SECONDS = 86_400;

const validateRotate = createValidator(webhookRotateSchema);

export function webhookSecretRoutes(deps: IdempotentDeps): Router<RequestState> {
  const router = new Router<RequestState>();
  router.post(
    '/inventory/system/webhook/secret/rotate',
    readJson(SMALL_BODY),
    idempotent(deps),
    async (ctx) => {
      const body = accepted(validateRotate(ctx.state.json));
      const key = await selectWebhook(deps, ctx, body);
      const { subscriptionId } = requireWebhook(await findSubscription(deps.sql, key));
      // A retry of a request whose process died shows the secret that it had made: one more rotation would end the
      // grace of the one that receivers still have.
      if (ctx.state.boundId === null) {
        await rotate(deps, ctx, subscriptionId, body.grace_seconds ?? DEFAULT_GRACE_SECONDS);
      }
      const { secret, previousValidUntil } = await revealSecret(deps, subscriptionId);
      ctx.body = {
        message: 'Success.',
        data: { secret, previous_valid_until: previousValidUntil },
      };
    },
  );
  return router;
}

async function rotate(
  deps: IdempotentDeps,
  ctx: RequestContext,
  subscriptionId: SubscriptionId,
  graceSeconds: number,
): Promise<void> {
  const rotated = await rotateSubscriptionSecret(deps.sql, {
    subscriptionId,
    newSecretEncrypted: sealNewSecret(deps.secrets, subscriptionId),
    graceSeconds,
    mark: ctx.state.mark,
  });
  if (!rotated) throw markLost();
}
