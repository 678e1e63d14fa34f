/** Names that both sides of a workflow must agree on: the code that starts it and the code that runs in it. */

/** Sent by a nudge: there may be something to do. Carries nothing; the rows say what. */
export const WAKE_SIGNAL = 'wake';
/** The drain of a line is dead; carries its epoch. */
export const TAKE_OVER_SIGNAL = 'takeOver';

/** What a crash in the middle of workflow code or a local activity costs. Longer ones renew it. */
export const WORKFLOW_TASK_TIMEOUT = '3s';

export const MENU_PUBLICATION = 'menuPublication';
export const WEBHOOK_LINE = 'webhookLine';
export const SWEEP = 'sweep';

/** Menus, webhooks and the sweep never wait for each other's slots. */
export const TASK_QUEUES = { menus: 'menus', webhooks: 'webhooks', sweep: 'sweep' } as const;

export const SEARCH_ATTRIBUTES = {
  storeId: 'StoreId',
  integrationId: 'IntegrationId',
  uploadState: 'UploadState',
} as const;

/** One publisher per store and integration: what a person looks for in the Temporal UI. */
export function menuPublicationId(storeId: number, integrationId: number): string {
  return `menu/${storeId}/${integrationId}`;
}

/** One for each line that subscriptions stand in, 0 to 255. */
export function webhookLineId(line: number): string {
  return `webhooks/line-${String(line).padStart(2, '0')}`;
}
