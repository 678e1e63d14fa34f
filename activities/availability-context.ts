import type { AppTarget } from '../src/delivery-apps/sql/integrations';
import { findAppTarget } from '../src/delivery-apps/sql/integrations';
import type { LineClaim } from '../src/availability/sql/calls';
import { type Credential, openCredential } from '../src/delivery-apps/tokens/app-access';
import { type ListeningClient, listenTo } from '../src/delivery-apps/listening-client';
import { observeClient } from '../src/delivery-apps/observed-client';
import { findDeliveryApp } from '../src/delivery-apps/registry';
import type { DeliveryAppClient } from '../src/delivery-apps/app-client';
import type { DeliveryApp } from '../src/delivery-apps/types';
import type { MenuActivityDeps } from './upload-attempt';
import { describeStatus } from './upload-end';

export type AvailabilityDeps = Pick<
  MenuActivityDeps,
  'sql' | 'secrets' | 'http' | 'tokens' | 'freezes' | 'log' | 'reach' | 'onAppCall' | 'settings'
>;

/** A line with all that a step needs to call its app. */
export interface LineContext {
  readonly ref: LineClaim;
  readonly target: AppTarget;
  readonly app: DeliveryApp;
  readonly client: DeliveryAppClient;
  readonly credential: Credential;
  readonly listening: ListeningClient;
}

/** How the app answered last, for people: Temporal keeps what an activity returns, so it has none of the app's text. */
export function describeLastAnswer({ listening }: Pick<LineContext, 'listening'>): string {
  const answer = listening.lastAnswer([]);
  return answer ? describeStatus(answer) : 'not asked';
}

/** Loads the line's integration. Undefined: it was removed meanwhile; the next claim of the line waits for it. */
export async function openLine(
  deps: AvailabilityDeps,
  ref: LineClaim,
): Promise<LineContext | undefined> {
  const target = await findAppTarget(deps.sql, ref.storeId, ref.integrationId);
  const registered = target && findDeliveryApp(target.app, deps.settings);
  if (!target || !registered?.configured) return undefined;
  const { app } = registered;
  const listening = listenTo(deps.http);
  const client = observeClient(
    app.createClient({
      http: listening.http,
      baseUrl: target.baseUrl,
      timeoutMs: deps.settings.DELIVERY_APP_TIMEOUT,
      ...(deps.settings.APP_D_TOKEN_URL && { tokenUrl: deps.settings.APP_D_TOKEN_URL }),
    }),
    (call, outcome, seconds) => deps.onAppCall?.({ app: app.name, call, outcome }, seconds),
  );
  const credential = openCredential(target, app.tokenScope, deps.secrets);
  return { ref, target, app, client, credential, listening };
}
