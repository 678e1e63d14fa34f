import { webhookManageSchema, type WebhookManage } from '../../../schemas/webhook';
import type { Config } from '../../config';
import type { Sql } from '../../db/client';
import { announceDeliveries } from '../../db/deliveries';
import {
  disableSubscription,
  enableSubscription,
  findDeletedSubscription,
  findSubscription,
  saveSubscription,
  type SealedHeaders,
  subscriptionHeadersContext,
  type SubscriptionRow,
} from '../../db/subscriptions';
import { readReceiverHeaders, type ReceiverHeaders } from '../../domain/receiver-headers';
import { fieldError } from '../../errors';
import { newId, type SubscriptionId } from '../../ids';
import { answerOf, ref } from '../../openapi/answer-schemas';
import { headerNames } from '../../openapi/webhook-health-schema';
import { NEW_WEBHOOK, SYSTEM_ID, WEBHOOK } from '../../openapi/examples';
import { checkWebhookUrl } from '../../outbound/check-url';
import type { Lookup } from '../../outbound/resolve-host';
import type { Nudger } from '../../queue/nudger';
import { wakeSubscriptions } from '../../queue/wake-subscriptions';
import type { SecretBox } from '../../secrets';
import { markLost } from '../mark-lost';
import { jsonBody, SMALL_BODY } from '../request-body';
import { noQuery, type Route, route, token } from '../route';
import {
  requireWebhook,
  selectWebhook,
  WEBHOOK_MISSING,
  WEBHOOK_SELECT,
  WEBHOOK_SELECT_REFUSALS,
} from '../selected-webhook';
import type { RequestContext } from '../state';
import { revealSecret, sealNewSecret } from '../webhook-secrets';

export interface WebhookDeps {
  readonly sql: Sql;
  readonly secrets: SecretBox;
  readonly nudger: Nudger;
  readonly lookup: Lookup;
  readonly settings: Pick<Config, 'WEBHOOK_ALLOW_HTTP' | 'OUTBOUND_ALLOW_CIDRS'>;
}

const MANAGED_WEBHOOK = {
  type: 'object',
  required: ['type', 'inventory_system_id', 'url', 'state', 'max_per_second', 'header_names'],
  properties: {
    type: ref('WebhookType'),
    inventory_system_id: { type: 'string', format: 'uuid' },
    url: { type: 'string' },
    state: ref('WebhookState'),
    max_per_second: { type: ['integer', 'null'] },
    header_names: headerNames,
    secret: {
      type: 'string',
      description: 'Verifies the signatures. Shown only when the webhook is new: keep it.',
    },
  },
};

/** The registered webhook of an inventory system for one type: made, changed, turned on and off. */
export const WEBHOOK_ROUTES: readonly Route<WebhookDeps>[] = [
  route({
    id: 'manageWebhook',
    method: 'post',
    path: '/api/v1/inventory/system/webhook/manage',
    parameters: {},
    group: 'Webhooks',
    summary: 'Register or change a webhook',
    description:
      'An inventory system has one webhook for each type. A new URL starts with a clean record.',
    access: token(),
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
    handle: (deps: WebhookDeps, { ctx, body }) => manageWebhook(deps, ctx, body),
  }),
  route({
    id: 'enableWebhook',
    method: 'post',
    path: '/api/v1/inventory/system/webhook/enable',
    parameters: {},
    group: 'Webhooks',
    summary: 'Enable a webhook',
    description: 'Deliveries that waited go out, oldest first.',
    access: token(),
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
      { status: 422, fields: WEBHOOK_SELECT_REFUSALS },
    ],
    async handle(deps: WebhookDeps, { ctx, body }) {
      const key = await selectWebhook(deps, ctx, body);
      const subscription = requireWebhook(await enableSubscription(deps.sql, key));
      await wake(deps, subscription.subscriptionId);
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
    access: token(),
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
    async handle(deps: WebhookDeps, { ctx, body }) {
      const key = await selectWebhook(deps, ctx, body);
      const subscription = requireWebhook(await disableSubscription(deps.sql, key));
      ctx.body = { message: 'Success.', data: renderSubscription(subscription) };
    },
  }),
];

async function manageWebhook(
  deps: WebhookDeps,
  ctx: RequestContext,
  body: WebhookManage,
): Promise<void> {
  const headers = wantedHeaders(body.headers);
  const key = await selectWebhook(deps, ctx, body);
  const url = await requireAllowedUrl(deps, body.url);
  // A retry of a request whose process died finds the change made; only if the webhook has the bound id it was new.
  const bound = ctx.state.boundId as SubscriptionId | null;
  const known = await findSubscription(deps.sql, key);
  const newSubscriptionId =
    bound ?? (known ? undefined : await findDeletedSubscription(deps.sql, key)) ?? newId('sub');
  const sealedFor = known?.subscriptionId ?? newSubscriptionId;
  const subscription = bound
    ? known
    : await saveSubscription(deps.sql, {
        ...key,
        newId: newSubscriptionId,
        newSecretEncrypted: sealNewSecret(deps.secrets, newSubscriptionId),
        url,
        maxInFlight: body.max_in_flight ?? null,
        maxPerSecond: body.max_per_second,
        ...(headers === undefined ? {} : { headers: sealHeaders(deps, sealedFor, headers) }),
        mark: ctx.state.mark,
      });
  if (!subscription) throw markLost();
  const { subscriptionId, type, inventorySystemId, state, headerNames: names } = subscription;
  // Another request made it meanwhile, under another id: the headers could not be kept, and the next try keeps them.
  if (headers !== undefined && !bound && subscriptionId !== sealedFor) throw markLost();
  const data = {
    type,
    inventory_system_id: inventorySystemId,
    url: subscription.url,
    state,
    max_per_second: subscription.maxPerSecond,
    header_names: names,
  };
  if (subscriptionId === newSubscriptionId) {
    const { secret } = await revealSecret(deps, subscriptionId);
    ctx.body = { message: 'Success.', data: { ...data, secret } };
    return;
  }
  // The change may have ended a pause.
  await wake(deps, subscriptionId);
  ctx.body = { message: 'Success.', data };
}

/** Undefined: they stay as they are. */
function wantedHeaders(given: object | null | undefined): ReceiverHeaders | undefined {
  if (given === undefined) return undefined;
  const headers = readReceiverHeaders(given ?? {});
  if (headers === undefined) throw fieldError('headers', 'The headers format is invalid.');
  return headers;
}

function sealHeaders(
  { secrets }: Pick<WebhookDeps, 'secrets'>,
  sealedFor: SubscriptionId,
  headers: ReceiverHeaders,
): SealedHeaders {
  const names = Object.keys(headers);
  const context = subscriptionHeadersContext(sealedFor);
  const encrypted = names.length === 0 ? null : secrets.encrypt(JSON.stringify(headers), context);
  return { sealedFor, encrypted, names };
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
  wakeSubscriptions(deps.nudger, await announceDeliveries(deps.sql, [subscriptionId]));
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
