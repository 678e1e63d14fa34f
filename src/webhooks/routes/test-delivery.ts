import { findSubscription } from '../sql/subscriptions';
import { itemDataPayload, type PayloadText, stockPayload } from '../payload';
import { answerOf, ref } from '../../contract/answer-schemas';
import { DELIVERY_WITH_ATTEMPTS } from '../../contract/examples';
import { noQuery, type Route, route, token } from '../../http/route';
import {
  OWNER_INACTIVE,
  requireWebhook,
  selectSendingWebhook,
  type SystemWebhookKey,
  WEBHOOK_MISSING,
  WEBHOOK_SELECT,
  WEBHOOK_SELECT_REFUSALS,
} from '../selected-webhook';
import { sendTest, type WebhookTestDeps } from '../send-test-delivery';

export type { WebhookTestDeps };

/** A test names no store and no item, because real ids could be taken for a real movement. */
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
    access: token({ acts: true }),
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
      OWNER_INACTIVE,
      { status: 422, fields: WEBHOOK_SELECT_REFUSALS },
    ],
    async handle(deps: WebhookTestDeps, { ctx, body }) {
      const key = await selectSendingWebhook(deps, ctx, body);
      const subscription = requireWebhook(await findSubscription(deps.sql, key));
      const { subscriptionId } = subscription;
      const payload = testPayload(key);
      return () => sendTest(deps, ctx, { ...key, subscriptionId, payload });
    },
  }),
];

function testPayload({ inventorySystemId, type }: SystemWebhookKey): PayloadText {
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
