import type { AppTarget } from '../src/delivery-apps/sql/integrations';
import { findAppTarget } from '../src/delivery-apps/sql/integrations';
import { type Credential, openCredential } from '../src/delivery-apps/tokens/app-access';
import { type ListeningClient, listenTo } from '../src/delivery-apps/listening-client';
import { observeClient } from '../src/delivery-apps/observed-client';
import { findDeliveryApp } from '../src/delivery-apps/registry';
import type { DeliveryAppClient } from '../src/delivery-apps/app-client';
import type { DeliveryApp } from '../src/delivery-apps/types';
import type { PublicationKey } from '../src/uploads/sql/publications';
import type { MenuActivityDeps } from './activity-deps';

type ClientDeps = Pick<MenuActivityDeps, 'http' | 'menus' | 'onAppCall' | 'settings'>;
export type AppDeps = ClientDeps & Pick<MenuActivityDeps, 'sql' | 'secrets'>;

/** The app of a store and integration, with all that a step needs to call it. */
export interface AppContext {
  readonly target: AppTarget;
  readonly app: DeliveryApp;
  readonly client: DeliveryAppClient;
  readonly credential: Credential;
  /** Between step and client, so that the app's answer can be reported afterwards. */
  readonly listening: ListeningClient;
}

/** Loads the integration; undefined: it was removed meanwhile. */
export async function openApp(
  deps: AppDeps,
  { storeId, integrationId }: PublicationKey,
): Promise<AppContext | undefined> {
  const target = await findAppTarget(deps.sql, storeId, integrationId);
  const registered = target && findDeliveryApp(target.app, deps.settings);
  if (!target || !registered?.configured) return undefined;
  const { app } = registered;
  const credential = openCredential(target, app.tokenScope, deps.secrets);
  return { target, app, credential, ...openClient(deps, target, app, storeKey({ storeId })) };
}

/** By which work that no user asked for takes its turns. */
export function storeKey({ storeId }: Pick<PublicationKey, 'storeId'>): string {
  return `store/${storeId}`;
}

/** The client of one step. Large texts are read and compared beside the event loop, in turns by `key`. */
export function openClient(
  { http, menus, onAppCall, settings }: ClientDeps,
  { baseUrl }: Pick<AppTarget, 'baseUrl'>,
  app: DeliveryApp,
  key: string,
): Pick<AppContext, 'client' | 'listening'> {
  const listening = listenTo(http);
  const client = observeClient(
    app.createClient({
      http: listening.http,
      baseUrl,
      timeoutMs: settings.DELIVERY_APP_TIMEOUT,
      ...(settings.APP_D_TOKEN_URL && { tokenUrl: settings.APP_D_TOKEN_URL }),
      compareMenus: (pushed, shown) => menus.by(key).compare(app.name, pushed, shown),
      readText: (reader, text, about) =>
        menus.by(key).readText({ app: app.name, reader, text, about }),
    }),
    (call, outcome, seconds) => onAppCall?.({ app: app.name, call, outcome }, seconds),
  );
  return { client, listening };
}
