import { webhookManageSchema, type WebhookManage } from '../../../schemas/webhook';
import { disableSubscription, enableSubscription } from '../sql/subscription-state';
import type { SubscriptionRow } from '../sql/subscriptions';
import { answerOf, ref } from '../../contract/answer-schemas';
import { headerNames } from '../../contract/webhook-health-schema';
import { NEW_WEBHOOK, SYSTEM_ID, WEBHOOK } from '../../contract/examples';
import {
  type ManageDeps,
  manageSubscription,
  wakeWebhook,
  wantedHeaders,
} from '../manage-subscription';
import { jsonBody, SMALL_BODY } from '../../http/body/request-body';
import { noQuery, type Route, route, token } from '../../http/route';
import {
  requireWebhook,
  OWNER_INACTIVE,
  ownerInactive,
  selectSendingWebhook,
  selectWebhook,
  WEBHOOK_MISSING,
  WEBHOOK_SELECT,
  WEBHOOK_SELECT_REFUSALS,
} from '../selected-webhook';
import type { RequestContext } from '../../http/state';

const MANAGED_WEBHOOK = {
  type: 'object',
  required: [
    'type',
    'inventory_system_id',
    'url',
    'state',
    'max_in_flight',
    'max_per_second',
    'header_names',
  ],
  properties: {
    type: ref('WebhookType'),
    inventory_system_id: { type: 'string', format: 'uuid' },
    url: { type: 'string' },
    state: ref('WebhookState'),
    max_in_flight: { type: 'integer', minimum: 1 },
    max_per_second: { type: ['integer', 'null'] },
    header_names: headerNames,
    secret: {
      type: 'string',
      description: 'Verifies the signatures. Shown only once, when the webhook is new: store it.',
    },
  },
};

/** The webhook of an inventory system for one type: register, change, enable and disable. */
export const WEBHOOK_ROUTES: readonly Route<ManageDeps>[] = [
  route({
    id: 'manageWebhook',
    method: 'post',
    path: '/api/v1/inventory/system/webhook/manage',
    parameters: {},
    group: 'Webhooks',
    summary: 'Register or change a webhook',
    description:
      'An inventory system has one webhook for each type. A new URL starts with a clean record.',
    access: token({ acts: true }),
    slow: 'asks strangers',
    idempotency: 'kept',
    query: noQuery,
    body: jsonBody({
      name: 'WebhookManage',
      schema: webhookManageSchema,
      maxBytes: SMALL_BODY,
      example: {
        type: 2,
        inventory_system_id: SYSTEM_ID,
        url: 'https://stock.example/hooks',
        max_in_flight: 20,
        max_per_second: 50,
        headers: { 'X-Api-Key': 'a key of the receiver' },
      },
    }),
    answers: [
      {
        status: 200,
        schema: answerOf(MANAGED_WEBHOOK),
        examples: { new: { message: 'Success.', data: NEW_WEBHOOK } },
      },
      OWNER_INACTIVE,
      {
        status: 422,
        fields: {
          ...WEBHOOK_SELECT_REFUSALS,
          url: ['The url field is required.', 'The url is not allowed.'],
          max_in_flight: ['The selected max in flight is invalid.'],
          max_per_second: ['The selected max per second is invalid.'],
          headers: ['The headers format is invalid.'],
        },
      },
    ],
    handle: (deps: ManageDeps, { ctx, body }) => manageWebhook(deps, ctx, body),
  }),
  route({
    id: 'enableWebhook',
    method: 'post',
    path: '/api/v1/inventory/system/webhook/enable',
    parameters: {},
    group: 'Webhooks',
    summary: 'Enable a webhook',
    description: 'Deliveries that waited go out, oldest first.',
    access: token({ acts: true }),
    idempotency: 'kept',
    query: noQuery,
    body: WEBHOOK_SELECT,
    answers: [
      {
        status: 200,
        schema: answerOf(ref('Webhook')),
        examples: { enabled: { message: 'Success.', data: WEBHOOK } },
      },
      WEBHOOK_MISSING,
      OWNER_INACTIVE,
      { status: 422, fields: WEBHOOK_SELECT_REFUSALS },
    ],
    async handle(deps: ManageDeps, { ctx, body }) {
      const key = await selectSendingWebhook(deps, ctx, body);
      const enabled = await enableSubscription(deps.sql, key);
      if (enabled === 'owner_inactive') throw ownerInactive();
      const subscription = requireWebhook(enabled);
      await wakeWebhook(deps, subscription.subscriptionId);
      ctx.body = { message: 'Success.', data: renderSubscription(subscription) };
    },
  }),
  route({
    id: 'disableWebhook',
    method: 'post',
    path: '/api/v1/inventory/system/webhook/disable',
    parameters: {},
    group: 'Webhooks',
    summary: 'Disable a webhook',
    description: 'Deliveries wait, `pending`, until it is enabled again.',
    access: token({ acts: true }),
    idempotency: 'kept',
    query: noQuery,
    body: WEBHOOK_SELECT,
    answers: [
      {
        status: 200,
        schema: answerOf(ref('Webhook')),
        examples: {
          disabled: {
            message: 'Success.',
            data: { ...WEBHOOK, state: 'disabled', disabled_reason: 'manual' },
          },
        },
      },
      WEBHOOK_MISSING,
      { status: 422, fields: WEBHOOK_SELECT_REFUSALS },
    ],
    async handle(deps: ManageDeps, { ctx, body }) {
      const key = await selectWebhook(deps, ctx, body);
      const subscription = requireWebhook(await disableSubscription(deps.sql, key));
      ctx.body = { message: 'Success.', data: renderSubscription(subscription) };
    },
  }),
];

async function manageWebhook(
  deps: ManageDeps,
  ctx: RequestContext,
  body: WebhookManage,
): Promise<void> {
  const headers = wantedHeaders(body.headers);
  const key = await selectSendingWebhook(deps, ctx, body);
  const managed = await manageSubscription(deps, ctx, key, { ...body, headers });
  const { subscription, secret } = managed;
  ctx.body = {
    message: 'Success.',
    data: {
      type: key.type,
      inventory_system_id: key.inventorySystemId,
      url: subscription.url,
      state: subscription.state,
      max_in_flight: subscription.maxInFlight,
      max_per_second: subscription.maxPerSecond,
      header_names: subscription.headerNames,
      ...(secret === undefined ? {} : { secret }),
    },
  };
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
