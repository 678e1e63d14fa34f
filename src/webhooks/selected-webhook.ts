import { webhookSelectSchema, type WebhookSelect } from '../../schemas/webhook';
import { oneOrTwo } from '../http/one-or-two';
import type { Sql } from '../platform/db/client';
import type { SubscriptionKey, SubscriptionRow } from './sql/subscriptions';
import type { WebhookType } from './payload';
import { AppError } from '../platform/errors';
import type { Refusal } from '../contract/answers';
import { SYSTEM_ID } from '../contract/examples';
import { findOwnSystem } from '../inventory/guards';
import { jsonBody, SMALL_BODY } from '../http/body/request-body';
import type { RequestContext } from '../http/state';

/** The body of a request about a webhook: its system and its type. */
export const WEBHOOK_SELECT = jsonBody({
  name: 'WebhookSelect',
  schema: webhookSelectSchema,
  maxBytes: SMALL_BODY,
  example: { type: 2, inventory_system_id: SYSTEM_ID },
});

/** Possible errors in these two fields. */
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

/** The key of an inventory system's webhook. */
export type SystemWebhookKey = Extract<SubscriptionKey, { readonly type: WebhookType }>;

/** The subscription that a body names: its system must be the caller's. */
export async function selectWebhook(
  { sql }: { readonly sql: Sql },
  ctx: RequestContext,
  body: WebhookSelect,
): Promise<SystemWebhookKey> {
  const { caller } = ctx.state;
  const { inventorySystemId } = await findOwnSystem(sql, caller, body.inventory_system_id);
  return { inventorySystemId, type: oneOrTwo(body.type) };
}

/** The 409 where something is to be sent although the owner of the webhook is deactivated or deleted. */
export const OWNER_INACTIVE: Refusal = {
  status: 409,
  sentences: ['The owner of this webhook is inactive.'],
};

/** The same of a webhook that is to send again: its owner must be active. */
export async function selectSendingWebhook(
  { sql }: { readonly sql: Sql },
  ctx: RequestContext,
  body: WebhookSelect,
): Promise<SystemWebhookKey> {
  const { caller } = ctx.state;
  const system = await findOwnSystem(sql, caller, body.inventory_system_id);
  if (!system.isOwnerActive) throw ownerInactive();
  return { inventorySystemId: system.inventorySystemId, type: oneOrTwo(body.type) };
}

export function ownerInactive(): AppError {
  return new AppError('owner_inactive', 'The owner of this webhook is inactive.');
}

/** Returns the subscription, or throws the 404 if there is none. */
export function requireWebhook(subscription: SubscriptionRow | undefined): SubscriptionRow {
  if (subscription) return subscription;
  throw webhookNotFound();
}

export function webhookNotFound(): AppError {
  return new AppError('not_found', 'The webhook was not found.');
}
