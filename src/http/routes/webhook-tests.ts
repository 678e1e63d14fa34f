import Router from '@koa/router';
import { webhookSelectSchema } from '../../../schemas/webhook';
import type { Config } from '../../config';
import type { NewDelivery } from '../../db/deliveries';
import { findDelivery, listAttempts } from '../../db/delivery-views';
import { findSubscription, type SubscriptionRow } from '../../db/subscriptions';
import { itemDataPayload, type PayloadText, stockPayload } from '../../domain/webhook-body';
import { createValidator } from '../../validation';
import { deliverEvent, type DeliverEventDeps } from '../deliver-event';
import { renderDeliveryWithAttempts } from '../delivery-answers';
import { accepted, viewerOf } from '../guards';

import { idempotent, type IdempotentDeps } from '../middleware/idempotent';
import { readJson, SMALL_BODY } from '../middleware/read-json';
import type { RequestState } from '../state';
import { requireWebhook, selectWebhook } from './webhooks';

export interface WebhookTestDeps extends IdempotentDeps, DeliverEventDeps {
  readonly settings: Pick<Config, 'ACK_WAIT'>;
}

/** A test is about no store and no item: real ids could be taken for a real movement. */
const NOBODY = 'test';

const validateSelect = createValidator(webhookSelectSchema);

export function webhookTestRoutes(deps: WebhookTestDeps): Router<RequestState> {
  const router = new Router<RequestState>();
  router.post(
    '/inventory/system/webhook/test',
    readJson(SMALL_BODY),
    idempotent(deps),
    async (ctx) => {
      const { sql, settings } = deps;
      const key = await selectWebhook(deps, ctx, accepted(validateSelect(ctx.state.json)));
      const subscription = requireWebhook(await findSubscription(sql, key));
      const [sent] = await deliverEvent(deps, ctx, {
        type: subscription.type,
        storeId: null,
        deliveries: [testDelivery(subscription)],
        waitMs: settings.ACK_WAIT,
      });
      const viewer = viewerOf(ctx.state.caller);
      const delivery = sent && (await findDelivery(sql, viewer, sent.deliveryId));
      if (!delivery) throw new Error('a test delivery vanished while it was waited for');
      const attempts = await listAttempts(sql, delivery.deliveryId);
      ctx.body = { message: 'Success.', data: renderDeliveryWithAttempts(delivery, attempts) };
    },
  );
  return router;
}

function testDelivery(subscription: SubscriptionRow): NewDelivery {
  const { subscriptionId, inventorySystemId } = subscription;
  return { subscriptionId, inventorySystemId, payload: testPayload(subscription) };
}

function testPayload({ inventorySystemId, type }: SubscriptionRow): PayloadText {
  const address = { inventorySystemId, externalStoreId: NOBODY };
  switch (type) {
    case 1:
      return itemDataPayload({ ...address, units: '[]', items: '[]', suppliers: '[]' });
    case 2:
      return stockPayload({
        ...address,
        externalId: NOBODY,
        currentStock: '0',
        quantity: '0',
        date: new Date().toISOString(),
        movementType: 1,
      });
  }
}
