import { webhookRotateSchema } from '../../../schemas/webhook';
import type { Sql } from '../../platform/db/client';
import { findSubscription } from '../sql/subscriptions';
import { answerOf, ref } from '../../contract/answer-schemas';
import { ROTATED, SYSTEM_ID } from '../../contract/examples';
import type { SecretBox } from '../../platform/crypto/secrets';
import { jsonBody, SMALL_BODY } from '../../http/body/request-body';
import { noQuery, type Route, route, token } from '../../http/route';
import {
  requireWebhook,
  selectWebhook,
  WEBHOOK_MISSING,
  WEBHOOK_SELECT_REFUSALS,
} from '../selected-webhook';
import { rotateSecret } from '../webhook-secrets';

export interface WebhookSecretDeps {
  readonly sql: Sql;
  readonly secrets: SecretBox;
}

export const ROTATED_SECRET = answerOf(ref('RotatedSecret'));

export const WEBHOOK_SECRET_ROUTES: readonly Route<WebhookSecretDeps>[] = [
  route({
    id: 'rotateWebhookSecret',
    method: 'post',
    path: '/api/v1/inventory/system/webhook/secret/rotate',
    parameters: {},
    group: 'Webhooks',
    summary: 'Rotate a secret',
    description: 'Until the grace ends, both secrets sign. The new one is shown only this once.',
    access: token({ acts: true }),
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
        schema: ROTATED_SECRET,
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
      await rotateSecret(deps, ctx, subscriptionId, body.grace_seconds);
    },
  }),
];
