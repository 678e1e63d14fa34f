import { adapterOf, findDeliveryApp, isAppName } from '../delivery-apps/registry';
import { APP_NAMES } from '../delivery-apps/types';
import type { Config } from '../platform/config/config';
import type { Sql } from '../platform/db/client';
import type { Reachability } from '../platform/temporal/reachability';
import { whyUploadsWait } from '../uploads/read-upload-waits';
import { renderWebhook } from '../webhooks/routes/webhook-reads';
import { listSubscriptionHealth } from '../webhooks/sql/subscription-health';
import { LARGEST_PAGE, type PageRequest } from './console-route';
import type { UnavailableEntry } from './pages/availability';
import type { StoreView } from './pages/store';
import type { TimelineEntry } from './pages/store-timeline';
import type { StoreApp } from './pages/store-app';
import type { StoreSystem } from './pages/store-systems';
import type { LiveEntry, StoreEntry, StoreIntegration } from './pages/stores';
import { type AppFacts, listAppFacts } from './sql/store-apps';
import { countWaitingDeliveries, listLinkedSystems } from './sql/store-systems';
import { listNewestMessages, withItems } from './with-items';

export interface StorePageDeps {
  readonly sql: Sql;
  readonly temporal: Pick<Reachability, 'isReachable'>;
  readonly settings: Pick<Config, 'APP_D'>;
}

/** Items off sale that a card lists; its link leads to all of them. */
const LISTED_ITEMS = 5;
/** The API answers no longer page. */
const MOST_APPS = Number(LARGEST_PAGE.limit);

type Asker = Pick<PageRequest, 'ask' | 'viewer'>;

/** All that the page of a store shows. Throws the API's refusal where the viewer may not see it. */
export async function readStorePage(
  deps: StorePageDeps,
  { ask, viewer, filter: { cursor } }: Asker & Pick<PageRequest, 'filter'>,
  store: StoreEntry,
): Promise<StoreView> {
  const { sql } = deps;
  const params = { store_id: String(store.id) };
  const [connected, liveMenus, facts, unavailable, systems, waiting, messages, timeline] =
    await Promise.all([
      ask('listStoreIntegrations', { params, query: LARGEST_PAGE }),
      ask('listLiveMenus', { query: { ...params, ...LARGEST_PAGE } }),
      listAppFacts(sql, store.id, MOST_APPS),
      ask('listUnavailable', { query: { ...params, ...LARGEST_PAGE } }),
      readSystems(deps, viewer, store.id),
      countWaitingDeliveries(sql, store.id),
      listNewestMessages({ ask }, params).then((newest) => withItems(sql, viewer, newest)),
      ask('storeTimeline', { params, query: { limit: '20', ...(cursor && { cursor }) } }),
    ]);
  const waits = await whyUploadsWait(
    deps,
    facts.flatMap(({ openId, openState }) =>
      openId && openState ? [{ uploadId: openId, state: openState }] : [],
    ),
  );
  const offSale = unavailable.data as UnavailableEntry[];
  const live = liveMenus.data as LiveEntry[];
  const apps = await Promise.all(
    (connected.data as StoreIntegration[]).map(async (integration): Promise<StoreApp[]> => {
      const id = integration.integration_id;
      const of = facts.find(({ integrationId }) => String(integrationId) === id);
      const shown = live.find(({ integration_id: each }) => each === id);
      // Connected or taken away between two statements.
      if (!of || !shown) return [];
      return [
        {
          integration,
          live: shown,
          facts: of,
          waits: (of.openId && waits.get(of.openId)) || null,
          offSale: await itemsOf(of, offSale, ask, params),
          ...abilitiesOf(integration, deps.settings),
        },
      ];
    }),
  );
  return {
    apps: apps.flat(),
    systems,
    waiting,
    messages,
    timeline: {
      entries: timeline.data as readonly TimelineEntry[],
      nextCursor: timeline.next_cursor,
    },
    viewerId: viewer.userId,
    seesNames: viewer.seesAll,
  };
}

/** The newest items off sale in one app, also where the newest of the store are all in others. */
async function itemsOf(
  { integrationId, offSale }: AppFacts,
  newest: readonly UnavailableEntry[],
  ask: Asker['ask'],
  params: Readonly<Record<string, string>>,
): Promise<readonly UnavailableEntry[]> {
  const id = String(integrationId);
  const listed = newest.filter((each) => each.integration_id === id).slice(0, LISTED_ITEMS);
  if (listed.length >= Math.min(offSale, LISTED_ITEMS)) return listed;
  const query = { ...params, integration_id: id, limit: String(LISTED_ITEMS) };
  return (await ask('listUnavailable', { query })).data as UnavailableEntry[];
}

/** What the app can do for the store: without a credential nothing can be sent or asked. */
function abilitiesOf(
  { app, active, has_token: hasToken }: StoreIntegration,
  settings: StorePageDeps['settings'],
): Pick<StoreApp, 'isConfigured' | 'canBeTold' | 'readsMenus' | 'canBeRead' | 'canBePreviewed'> {
  const isConfigured = isAppName(app) && findDeliveryApp(app, settings).configured;
  const readsMenus = isConfigured && adapterOf(app).readsMenus === true;
  const canBeTold = isConfigured && active && hasToken;
  return {
    isConfigured,
    canBeTold,
    readsMenus,
    canBeRead: canBeTold && readsMenus,
    canBePreviewed: isConfigured && active && (APP_NAMES as readonly string[]).includes(app),
  };
}

async function readSystems(
  { sql }: StorePageDeps,
  viewer: Asker['viewer'],
  storeId: number,
): Promise<readonly StoreSystem[]> {
  const linked = await listLinkedSystems(sql, viewer, storeId);
  const seen = linked.flatMap(({ inventorySystemId, name }) =>
    name === null ? [] : [inventorySystemId],
  );
  const webhooks = seen.length === 0 ? [] : await listSubscriptionHealth(sql, seen);
  return linked.map((system) => ({
    ...system,
    webhooks: webhooks
      .filter(({ inventorySystemId }) => inventorySystemId === system.inventorySystemId)
      .map((webhook) => renderWebhook(webhook)),
  }));
}
