import type { FromSchema } from 'json-schema-to-ts';
import {
  eventsWebhookManageSchema,
  eventsWebhookRotateSchema,
  PLATFORM_EVENTS,
} from '../../../schemas/platform-events';
import { disableSubscription, enableSubscription } from '../sql/subscription-state';
import { findSubscription } from '../sql/subscriptions';
import { oneOfHint } from '../../platform/validation/hints';
import { isPlatformEvent, type PlatformEvent } from '../platform-events';
import { fieldError } from '../../platform/errors';
import { answerOf, ref } from '../../contract/answer-schemas';
import { EVENTS_WEBHOOK, ROTATED } from '../../contract/examples';
import { DELETED } from '../../contract/refusals';
import { discardWaiting, deleteSubscription } from '../sql/discards';
import { keyOf, renderWebhook } from '../webhook-answers';
import {
  type ManageDeps,
  manageSubscription,
  wakeWebhook,
  wantedHeaders,
} from '../manage-subscription';
import { emptyBody, jsonBody, noBody, SMALL_BODY } from '../../http/body/request-body';
import { inactiveUser } from '../../users/guards';
import { noQuery, type Route, route, token } from '../../http/route';
import { requireWebhook, WEBHOOK_MISSING, webhookNotFound } from '../selected-webhook';
import { rotateSecret } from '../webhook-secrets';
import { ROTATED_SECRET } from './webhook-secrets';

const common = { group: 'Events', access: token(), parameters: {} } as const;
const change = { ...common, method: 'post', idempotency: 'kept', query: noQuery } as const;

/** A user's single webhook for events of their stores and systems. */
export const EVENTS_WEBHOOK_ROUTES: readonly Route<ManageDeps>[] = [
  route({
    ...change,
    id: 'manageEventsWebhook',
    slow: 'asks strangers',
    path: '/api/v1/events/webhook/manage',
    summary: 'Register or change the webhook for events',
    description:
      'You have one such webhook. From then on it gets the events of your stores and of the systems that you created. A new URL starts with a clean record.',
    body: jsonBody({
      name: 'EventsWebhookManage',
      schema: eventsWebhookManageSchema,
      maxBytes: SMALL_BODY,
      example: {
        url: 'https://platform.example/events',
        events: ['upload.ended', 'webhook.disabled'],
        max_in_flight: 20,
        max_per_second: 50,
        headers: { 'X-Api-Key': 'a key of the receiver' },
      },
    }),
    answers: [
      {
        status: 200,
        schema: answerOf(ref('EventsWebhook')),
        examples: {
          new: { message: 'Success.', data: { ...EVENTS_WEBHOOK, secret: ROTATED.secret } },
        },
      },
      {
        status: 422,
        fields: {
          url: ['The url field is required.', 'The url is not allowed.'],
          events: ['The events field is required.', 'The selected events is invalid.'],
          max_in_flight: ['The selected max in flight is invalid.'],
          max_per_second: ['The selected max per second is invalid.'],
          headers: ['The headers format is invalid.'],
        },
      },
    ],
    async handle(deps: ManageDeps, { ctx, body }) {
      const wanted = {
        ...body,
        events: wantedEvents(body.events),
        headers: wantedHeaders(body.headers),
      };
      const { subscription, secret } = await manageSubscription(deps, ctx, keyOf(ctx), wanted);
      const shown = renderWebhook(subscription);
      const data = secret === undefined ? shown : { ...shown, secret };
      ctx.body = { message: 'Success.', data };
    },
  }),
  route({
    ...change,
    id: 'rotateEventsSecret',
    path: '/api/v1/events/webhook/secret/rotate',
    summary: 'Rotate the secret of the webhook for events',
    description: 'Until the grace ends, both secrets sign. The new one is shown only this once.',
    body: jsonBody<typeof eventsWebhookRotateSchema, FromSchema<typeof eventsWebhookRotateSchema>>({
      name: 'EventsWebhookRotate',
      schema: eventsWebhookRotateSchema,
      maxBytes: SMALL_BODY,
      example: { grace_seconds: 86_400 },
    }),
    answers: [
      {
        status: 200,
        schema: ROTATED_SECRET,
        examples: { rotated: { message: 'Success.', data: ROTATED } },
      },
      WEBHOOK_MISSING,
      { status: 422, fields: { grace_seconds: ['The selected grace seconds is invalid.'] } },
    ],
    async handle(deps: ManageDeps, { ctx, body }) {
      const { subscriptionId } = requireWebhook(await findSubscription(deps.sql, keyOf(ctx)));
      await rotateSecret(deps, ctx, subscriptionId, body.grace_seconds);
    },
  }),
  route({
    ...change,
    id: 'enableEventsWebhook',
    path: '/api/v1/events/webhook/enable',
    summary: 'Enable the webhook for events',
    description: 'Events that waited go out, oldest first.',
    body: emptyBody,
    answers: [
      {
        status: 200,
        schema: answerOf(ref('EventsWebhook')),
        examples: { enabled: { message: 'Success.', data: EVENTS_WEBHOOK } },
      },
      WEBHOOK_MISSING,
    ],
    async handle(deps: ManageDeps, { ctx }) {
      const enabled = await enableSubscription(deps.sql, keyOf(ctx));
      if (enabled === 'owner_inactive') throw inactiveUser('deactivated', 'user_not_active');
      const subscription = requireWebhook(enabled);
      await wakeWebhook(deps, subscription.subscriptionId);
      ctx.body = { message: 'Success.', data: renderWebhook(subscription) };
    },
  }),
  route({
    ...change,
    id: 'disableEventsWebhook',
    path: '/api/v1/events/webhook/disable',
    summary: 'Disable the webhook for events',
    description: 'Events wait, `pending`, until it is enabled again.',
    body: emptyBody,
    answers: [
      {
        status: 200,
        schema: answerOf(ref('EventsWebhook')),
        examples: {
          disabled: {
            message: 'Success.',
            data: { ...EVENTS_WEBHOOK, state: 'disabled', disabled_reason: 'manual' },
          },
        },
      },
      WEBHOOK_MISSING,
    ],
    async handle(deps: ManageDeps, { ctx }) {
      const subscription = requireWebhook(await disableSubscription(deps.sql, keyOf(ctx)));
      ctx.body = { message: 'Success.', data: renderWebhook(subscription) };
    },
  }),
  route({
    ...common,
    id: 'deleteEventsWebhook',
    method: 'delete',
    path: '/api/v1/events/webhook',
    summary: 'Delete the webhook for events',
    description:
      'Waiting events end `discarded`. A webhook that is registered again has a new secret, and its `webhook-sequence` continues.',
    idempotency: 'none',
    query: noQuery,
    body: noBody,
    answers: [DELETED, WEBHOOK_MISSING],
    async handle({ sql }: ManageDeps, { ctx }) {
      if (!(await deleteSubscription(sql, keyOf(ctx)))) throw webhookNotFound();
      await discardWaiting(sql);
      ctx.body = { message: 'Success.', data: null };
    },
  }),
];

/** Each once; null: all. Throws the 422 of a list with an unknown name. */
function wantedEvents(
  given: readonly unknown[] | null | undefined,
): readonly PlatformEvent[] | null | undefined {
  if (!given) return given;
  const wanted = [...new Set(given)];
  if (wanted.every(isPlatformEvent)) return wanted;
  throw fieldError('events', 'The selected events is invalid.', {
    value: given,
    hint: oneOfHint(PLATFORM_EVENTS),
  });
}
