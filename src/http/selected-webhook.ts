import { webhookSelectSchema, type WebhookSelect } from '../../schemas/webhook';
import type { Sql } from '../db/client';
import type { SubscriptionKey, SubscriptionRow } from '../db/subscriptions';
import { oneOrTwo } from '../domain/delivery';
import { AppError } from '../errors';
import type { Refusal } from '../openapi/answers';
import { SYSTEM_ID } from '../openapi/examples';
import { findOwnSystem } from './inventory-guards';
import { jsonBody, SMALL_BODY } from './request-body';
import type { RequestContext } from './state';

/** The body of a request about a webhook: whose it is and for which type. */
export const WEBHOOK_SELECT = jsonBody({
  name: 'WebhookSelect',
  schema: webhookSelectSchema,
  maxBytes: SMALL_BODY,
  example: { type: 2, inventory_system_id: SYSTEM_ID },
});

/** What can be wrong with these two fields. */
export const WEBHOOK_SELECT_REFUSALS = {
  type: ['The type field is required.', 'The selected type is invalid.'],
  inventory_system_id: [
    'The inventory system id field is required.',
    'The selected inventory system id is invalid.',
  ],
};

export const WEBHOOK_MISSING: Refusal = {
  status: 404,
  sentences: ['The webhook was not found.'],
};

/** Which subscription a body means: its system must be the caller's. */
export async function selectWebhook(
  { sql }: { readonly sql: Sql },
  ctx: RequestContext,
  body: WebhookSelect,
): Promise<SubscriptionKey> {
  const { caller } = ctx.state;
  const { inventorySystemId } = await findOwnSystem(sql, caller, body.inventory_system_id);
  return { inventorySystemId, type: oneOrTwo(body.type) };
}

/** The subscription, or the 404 of one that is not there. */
export function requireWebhook(subscription: SubscriptionRow | undefined): SubscriptionRow {
  if (subscription) return subscription;
  throw webhookNotFound();
}

export function webhookNotFound(): AppError {
  return new AppError('not_found', 'The webhook was not found.');
}
