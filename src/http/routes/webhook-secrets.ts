import { webhookRotateSchema } from '../../../schemas/webhook';
import type { Sql } from '../../db/client';
import { findSubscription, rotateSubscriptionSecret } from '../../db/subscriptions';
import type { SubscriptionId } from '../../ids';
import { answerOf } from '../../openapi/answer-schemas';
import { record } from '../../openapi/record';
import { ROTATED, SYSTEM_ID } from '../../openapi/examples';
import type { SecretBox } from '../../secrets';
import { markLost } from '../mark-lost';
import { jsonBody, SMALL_BODY } from '../request-body';
import { noQuery, type Route, route, token } from '../route';
import {
  requireWebhook,
  selectWebhook,
  WEBHOOK_MISSING,
  WEBHOOK_SELECT_REFUSALS,
} from '../selected-webhook';
import type { RequestContext } from '../state';
import { revealSecret, sealNewSecret } from '../webhook-secrets';

export interface WebhookSecretDeps {
  readonly sql: Sql;
  readonly secrets: SecretBox;
}

const DEFAULT_GRACE_SECONDS = 86_400;

export const WEBHOOK_SECRET_ROUTES: readonly Route<WebhookSecretDeps>[] = [
  route({
    id: 'rotateWebhookSecret',
    method: 'post',
    path: '/api/v1/inventory/system/webhook/secret/rotate',
    parameters: {},
    group: 'Webhooks',
    summary: 'Rotate a secret',
    description: 'Until the grace ends, both secrets sign. The new one is shown this once.',
    access: token(),
    idempotency: 'kept',
    query: noQuery,
    body: jsonBody({
      name: 'WebhookRotate',
      schema: webhookRotateSchema,
      maxBytes: SMALL_BODY,
      example: { type: 2, inventory_system_id: SYSTEM_ID, grace_seconds: 86_400 },
    }),
    answers: [
      {
        status: 200,
        schema: answerOf(
          record({
            secret: { type: 'string' },
            previous_valid_until: { type: ['string', 'null'], format: 'date-time' },
          }),
        ),
        examples: { rotated: { message: 'Success.', data: ROTATED } },
      },
      WEBHOOK_MISSING,
      {
        status: 422,
        fields: {
          ...WEBHOOK_SELECT_REFUSALS,
          grace_seconds: ['The selected grace seconds is invalid.'],
        },
      },
    ],
    async handle(deps: WebhookSecretDeps, { ctx, body }) {
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
  }),
];

async function rotate(
  deps: WebhookSecretDeps,
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
