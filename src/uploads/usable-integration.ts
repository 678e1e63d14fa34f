import type { Config } from '../platform/config/config';
import type { Sql } from '../platform/db/client';
import { type ConnectionFacts, findConnection } from '../delivery-apps/sql/integrations';
import { findDeliveryApp } from '../delivery-apps/registry';

export interface UsableIntegrationDeps {
  readonly sql: Sql;
  readonly settings: Pick<Config, 'APP_D'>;
}

/** An unknown integration is refused like an inactive one. */
export const NO_INTEGRATION = 'Integration not available.';
/** The store shows no menu there. */
export const NO_LIVE_MENU = 'No menu is live in this delivery.';

/** Why a store's menu cannot go to the integration, as the message of the answer; undefined = it can. */
export async function findIntegrationRefusal(
  { sql, settings }: UsableIntegrationDeps,
  storeId: number,
  integrationId: number,
  menuCount: number,
): Promise<string | undefined> {
  return integrationRefusal(await findConnection(sql, storeId, integrationId), settings, menuCount);
}

/** The same for known facts; undefined facts = there is no such integration. */
export function integrationRefusal(
  facts: ConnectionFacts | undefined,
  settings: UsableIntegrationDeps['settings'],
  menuCount: number,
): string | undefined {
  if (!facts?.active) return NO_INTEGRATION;
  if (!facts.hasCredential) return 'This store does not have a token for this delivery.';
  const registered = findDeliveryApp(facts.app, settings);
  if (!registered.configured) return registered.reason;
  if (!facts.configured) return 'Microservice does not have this integration configured.';
  if (!facts.hasAppStoreId) return 'This store does not have the store delivery id.';
  if (menuCount > registered.app.maxMenus) return 'Only one menu is supported by this delivery.';
  return undefined;
}
