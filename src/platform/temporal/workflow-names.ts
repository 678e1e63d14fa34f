/** Names that both sides of a workflow must agree on: the code that starts it and the code that runs in it. */

/** Sent by a nudge: there may be something to do. Carries nothing; the rows say what. */
export const WAKE_SIGNAL = 'wake';
/** The drain of a line is dead; carries its epoch. */
export const TAKE_OVER_SIGNAL = 'takeOver';

/** What a crash in the middle of workflow code or a local activity costs. Longer ones renew it. */
export const WORKFLOW_TASK_TIMEOUT = '3s';

export const MENU_PUBLICATION = 'menuPublication';
export const STORE_AVAILABILITY = 'storeAvailability';
export const MENU_CHECK = 'menuCheck';
export const MENU_ROLLOUT = 'menuRollout';
export const WEBHOOK_LINE = 'webhookLine';
export const SWEEP_LINE = 'sweepLine';
/** There is one for all workers. */
export const SWEEP_ID = 'sweep';

/** Menus and webhooks never wait for each other's slots. The sweep is one more line of the webhooks: an hour long, and mostly asleep. */
export const TASK_QUEUES = { menus: 'menus', webhooks: 'webhooks' } as const;

export const SEARCH_ATTRIBUTES = {
  storeId: 'StoreId',
  integrationId: 'IntegrationId',
  uploadState: 'UploadState',
} as const;

/** One publisher per store and integration: what a person looks for in the Temporal UI. */
export function menuPublicationId(storeId: number, integrationId: number): string {
  return `menu/${storeId}/${integrationId}`;
}

/** One per store and integration as well: items that go off sale and come back, and pauses. */
export function storeAvailabilityId(storeId: number, integrationId: number): string {
  return `availability/${storeId}/${integrationId}`;
}

/** One per store and integration, beside the one of its menus: reads back what is live. */
export function menuCheckId(storeId: number, integrationId: number): string {
  return `check/${storeId}/${integrationId}`;
}

/** One for each rollout. */
export function menuRolloutId(rolloutId: string): string {
  return `rollout/${rolloutId}`;
}

/** One for each line that subscriptions stand in, 0 to 255. */
export function webhookLineId(line: number): string {
  return `webhooks/line-${String(line).padStart(2, '0')}`;
}
