/** Names that both sides of a workflow must agree on: the code that starts it and the code that runs in it. */

/** Sent by a wake: there may be something to do. Carries no data; the rows have it. */
export const WAKE_SIGNAL = 'wake';

/** How long a crash during workflow code or a local activity delays the work. Longer tasks renew it. */
export const WORKFLOW_TASK_TIMEOUT = '3s';

export const MENU_PUBLICATION = 'menuPublication';
export const STORE_AVAILABILITY = 'storeAvailability';
export const DRIFT_CHECK = 'driftCheck';
export const MENU_ROLLOUT = 'menuRollout';
export const WEBHOOK_SHARD = 'webhookShard';
export const SWEEP_WORKFLOW = 'sweepLine';
/** A single one for all workers. */
export const SWEEP_ID = 'sweep';

/**
 * Menus and webhooks never wait for each other's slots. The sweep runs in the webhooks' queue: it lasts an hour and
 * mostly sleeps.
 */
export const TASK_QUEUES = { menus: 'menus', webhooks: 'webhooks' } as const;

export const SEARCH_ATTRIBUTES = {
  storeId: 'StoreId',
  integrationId: 'IntegrationId',
  uploadState: 'UploadState',
} as const;

/** One per store and integration: people look for this id in the Temporal UI. */
export function menuPublicationId(storeId: number, integrationId: number): string {
  return `menu/${storeId}/${integrationId}`;
}

/** One per store and integration: switches items on and off sale, and pauses. */
export function storeAvailabilityId(storeId: number, integrationId: number): string {
  return `availability/${storeId}/${integrationId}`;
}

/** One per store and integration, beside the one for its menus: reads back what is live. */
export function driftCheckId(storeId: number, integrationId: number): string {
  return `check/${storeId}/${integrationId}`;
}

/** One for each rollout. */
export function menuRolloutId(rolloutId: string): string {
  return `rollout/${rolloutId}`;
}

/** One per shard of subscriptions, 0 to 15. */
export function webhookShardId(shard: number): string {
  return `webhooks/shard-${String(shard).padStart(2, '0')}`;
}
