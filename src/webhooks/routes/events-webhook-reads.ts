import type { Sql } from '../../platform/db/client';
import { findEventsHealth } from '../sql/subscription-health';
import { findSubscription } from '../sql/subscriptions';
import { EVENTS } from '../platform-events';
import { testEventPayload } from '../payload';
import { answerOf, ref } from '../../contract/answer-schemas';
import { EVENT_TEST_DELIVERY, EVENTS_WEBHOOK_HEALTH } from '../../contract/examples';
import { keyOf, renderWebhook, renderHealth } from '../webhook-answers';
import { emptyBody, noBody } from '../../http/body/request-body';
import { noQuery, type Route, route, token } from '../../http/route';
import { requireWebhook, WEBHOOK_MISSING, webhookNotFound } from '../selected-webhook';
import { sendTest, type WebhookTestDeps } from '../send-test-delivery';

export type EventsWebhookReadDeps = WebhookTestDeps & { readonly sql: Sql };

const common = { group: 'Events', access: token(), parameters: {}, query: noQuery } as const;

/** The state and the health of a user's webhook for events. */
export const EVENTS_WEBHOOK_READ_ROUTES: readonly Route<EventsWebhookReadDeps>[] = [
  route({
    ...common,
    method: 'post',
    idempotency: 'kept',
    id: 'testEventsWebhook',
    path: '/api/v1/events/webhook/test',
    summary: 'Test the webhook for events',
    description:
      'Sends a signed event `webhook.test` the normal way, waits for the outcome, 5 s unless configured otherwise, and shows the delivery as it is then.',
    body: emptyBody,
    answers: [
      {
        status: 200,
        schema: answerOf(ref('DeliveryWithAttempts')),
        examples: { delivered: { message: 'Success.', data: EVENT_TEST_DELIVERY } },
      },
      WEBHOOK_MISSING,
    ],
    async handle(deps: EventsWebhookReadDeps, { ctx }) {
      const { subscriptionId } = requireWebhook(await findSubscription(deps.sql, keyOf(ctx)));
      const payload = testEventPayload(new Date());
      const delivery = { type: EVENTS, subscriptionId, inventorySystemId: null, payload } as const;
      return () => sendTest(deps, ctx, delivery);
    },
  }),
  route({
    ...common,
    id: 'getEventsWebhook',
    method: 'get',
    path: '/api/v1/events/webhook',
    summary: 'See the webhook for events and its health',
    description: 'Its secret is never shown, and of its headers only the names.',
    idempotency: 'none',
    body: noBody,
    answers: [
      {
        status: 200,
        schema: answerOf(ref('EventsWebhookHealth')),
        examples: { seen: { message: 'Success.', data: EVENTS_WEBHOOK_HEALTH } },
      },
      WEBHOOK_MISSING,
    ],
    async handle({ sql }: EventsWebhookReadDeps, { ctx }) {
      const webhook = await findEventsHealth(sql, ctx.state.caller.userId);
      if (!webhook) throw webhookNotFound();
      ctx.body = {
        message: 'Success.',
        data: { ...renderWebhook(webhook), health: renderHealth(webhook) },
      };
    },
  }),
];
