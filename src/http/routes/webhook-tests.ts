import type { Config } from '../../config';
import type { NewDelivery } from '../../db/deliveries';
import { findDelivery, listAttempts } from '../../db/delivery-views';
import { findSubscription, type SubscriptionRow } from '../../db/subscriptions';
import { itemDataPayload, type PayloadText, stockPayload } from '../../domain/webhook-body';
import { answerOf, ref } from '../../openapi/answer-schemas';
import { DELIVERY_WITH_ATTEMPTS } from '../../openapi/examples';
import { deliverEvent, type DeliverEventDeps } from '../deliver-event';
import { renderDeliveryWithAttempts } from '../delivery-answers';
import { viewerOf } from '../guards';
import { noQuery, type Route, route, token } from '../route';
import {
  requireWebhook,
  selectWebhook,
  WEBHOOK_MISSING,
  WEBHOOK_SELECT,
  WEBHOOK_SELECT_REFUSALS,
} from '../selected-webhook';
import type { RequestContext } from '../state';

export interface WebhookTestDeps extends DeliverEventDeps {
  readonly settings: Pick<Config, 'ACK_WAIT'>;
}

/** A test is about no store and no item: real ids could be taken for a real movement. */
const NOBODY = 'test';

export const WEBHOOK_TEST_ROUTES: readonly Route<WebhookTestDeps>[] = [
  route({
    id: 'testWebhook',
    method: 'post',
    path: '/api/v1/inventory/system/webhook/test',
    parameters: {},
    group: 'Webhooks',
    summary: 'Test a webhook',
    description:
      'Sends a signed ping the normal way: type 1 with empty arrays, type 2 with zero quantities; `store_id` and `external_id` are `test`. ' +
      'Waits for the outcome, 5 s unless configured otherwise, and shows the delivery as it is then.',
    access: token(),
    idempotency: 'kept',
    query: noQuery,
    body: WEBHOOK_SELECT,
    answers: [
      {
        status: 200,
        schema: answerOf(ref('DeliveryWithAttempts')),
        examples: { acknowledged: { message: 'Success.', data: DELIVERY_WITH_ATTEMPTS } },
      },
      WEBHOOK_MISSING,
      { status: 422, fields: WEBHOOK_SELECT_REFUSALS },
    ],
    async handle(deps: WebhookTestDeps, { ctx, body }) {
      const key = await selectWebhook(deps, ctx, body);
      const subscription = requireWebhook(await findSubscription(deps.sql, key));
      return () => sendTest(deps, ctx, subscription);
    },
  }),
];

async function sendTest(
  deps: WebhookTestDeps,
  ctx: RequestContext,
  subscription: SubscriptionRow,
): Promise<void> {
  const { sql, settings } = deps;
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
