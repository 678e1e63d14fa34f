import type { Config } from '../platform/config/config';
import type { Sql } from '../platform/db/client';
import type { Route } from '../http/route';
import { webhookShardId } from '../platform/temporal/workflow-names';
import { workflowUrl } from '../platform/temporal/trace-url';
import { EVENTS } from '../webhooks/platform-events';
import { renderWebhook } from '../webhooks/routes/webhook-reads';
import { webhookNotFound } from '../webhooks/selected-webhook';
import {
  findEventsHealth,
  listSubscriptionHealth,
  listSubscriptionHealthOfNewest,
  type SubscriptionHealth,
} from '../webhooks/sql/subscription-health';
import { type ConsoleDeps, consoleAction, consolePage } from './console-route';
import { WebhookPage } from './pages/webhook';
import { type WebhookEntry, WebhooksPage } from './pages/webhooks';
import { findLastAttempt, type LastAttempt } from './sql/last-attempt';
import { findShard } from './sql/webhook-shard';

export interface WebhookPageDeps extends ConsoleDeps {
  readonly sql: Sql;
  readonly settings: Pick<Config, 'TEMPORAL_UI_URL' | 'TEMPORAL_NAMESPACE'>;
}

type WebhookSystem = NonNullable<WebhookEntry['system']>;

const WEBHOOK = { inventory_system_id: 'a', type: '1' };
const LIST = '/console/webhooks';
const PATH = `${LIST}/{inventory_system_id}/{type}`;
const EVENTS_PATH = `${LIST}/events`;
const SECTION = { section: 'webhooks' } as const;

/** Webhooks of inventory systems and the one for events: a list, and a page for each. */
export const WEBHOOK_PAGES: readonly Route<WebhookPageDeps>[] = [
  consolePage({
    ...SECTION,
    id: 'webhooks',
    path: LIST,
    summary: 'Webhooks',
    async show({ sql }: WebhookPageDeps, { ask, filter, frame, viewer }) {
      const { inventory_system_id: only, cursor } = filter;
      const isFirst = cursor === undefined && only === undefined;
      const [systems, events] = await Promise.all([
        only === undefined
          ? ask('listInventorySystems', { query: filter })
          : ask('getInventorySystem', { params: { inventory_system_id: only } }).then(
              ({ data }) => ({ data: [data], next_cursor: null }),
            ),
        isFirst ? findEventsHealth(sql, viewer.userId) : undefined,
      ]);
      const webhooks = [
        ...(events ? [{ ...renderWebhook(events), system: null }] : []),
        ...(await listWebhooks(sql, systems.data as WebhookSystem[])),
      ];
      const nextCursor = systems.next_cursor;
      return <WebhooksPage frame={frame('Webhooks')} {...{ webhooks, nextCursor }} />;
    },
  }),
  consolePage({
    ...SECTION,
    id: 'webhook',
    path: PATH,
    parameters: WEBHOOK,
    summary: 'One webhook of an inventory system',
    async show(deps: WebhookPageDeps, { ask, params, frame }) {
      const system = (await ask('getInventorySystem', { params })).data as WebhookSystem;
      const all = await listSubscriptionHealth(deps.sql, [system.inventory_system_id]);
      const health = all.find(({ type }) => String(type) === params['type']);
      const shown = await show(deps, health, system);
      const lastAttempt = await lastAttemptOf(deps, health);
      const title = system.inventory_system_details.name;
      return <WebhookPage frame={frame(title)} {...{ ...shown, lastAttempt }} />;
    },
  }),
  consolePage({
    ...SECTION,
    id: 'events-webhook',
    path: EVENTS_PATH,
    summary: 'The webhook for events',
    async show(deps: WebhookPageDeps, { frame, viewer }) {
      const health = await findEventsHealth(deps.sql, viewer.userId);
      const shown = await show(deps, health, null);
      const lastAttempt = await lastAttemptOf(deps, health);
      return <WebhookPage frame={frame('Webhook for events')} {...{ ...shown, lastAttempt }} />;
    },
  }),
  ...(['enable', 'disable'] as const).flatMap((change) => [
    consoleAction<WebhookPageDeps>({
      ...SECTION,
      id: change,
      path: `${PATH}/${change}`,
      parameters: WEBHOOK,
      summary: `The webhook is ${change}d`,
      routeId: `${change}Webhook`,
      request: ({ inventory_system_id, type }) => ({ body: { inventory_system_id, type } }),
      back: LIST,
      next: pathOfWebhook,
    }),
    consoleAction<WebhookPageDeps>({
      ...SECTION,
      id: `${change}-events`,
      path: `${EVENTS_PATH}/${change}`,
      parameters: {},
      summary: `The webhook for events is ${change}d`,
      routeId: `${change}EventsWebhook`,
      request: () => ({}),
      back: LIST,
      next: () => EVENTS_PATH,
    }),
  ]),
  consoleAction({
    ...SECTION,
    id: 'test',
    path: `${PATH}/test`,
    parameters: WEBHOOK,
    summary: 'Send a test to a webhook',
    routeId: 'testWebhook',
    request: ({ inventory_system_id, type }) => ({ body: { inventory_system_id, type } }),
    back: LIST,
    next: (_params, { body }) => pathOfDelivery(body.data),
  }),
  consoleAction({
    ...SECTION,
    id: 'test-events',
    path: `${EVENTS_PATH}/test`,
    parameters: {},
    summary: 'Send a test to the webhook for events',
    routeId: 'testEventsWebhook',
    request: () => ({}),
    back: LIST,
    next: (_params, { body }) => pathOfDelivery(body.data),
  }),
];

/** The webhooks of these systems, in one statement, in the form in which the API answers those of one system. */
async function listWebhooks(sql: Sql, systems: readonly WebhookSystem[]): Promise<WebhookEntry[]> {
  const ids = systems.map((system) => system.inventory_system_id);
  const all = await listSubscriptionHealthOfNewest(sql, ids);
  return systems.flatMap((system) =>
    all
      .filter(({ inventorySystemId }) => inventorySystemId === system.inventory_system_id)
      .map((webhook) => ({
        ...renderWebhook(webhook),
        system,
        isOfNewest: webhook.isCut,
      })),
  );
}

/** What the page of a webhook shows. Throws the API's 404 if there is none. */
async function show(
  { sql, settings }: WebhookPageDeps,
  health: SubscriptionHealth | undefined,
  system: WebhookEntry['system'],
) {
  if (!health) throw webhookNotFound();
  const shard = await findShard(sql, health.subscriptionId);
  return {
    webhook: { ...renderWebhook(health), system },
    // Of events, those that are wanted; all without a choice.
    events: health.type === EVENTS ? (health.events?.join(', ') ?? 'all') : null,
    traceUrl: shard === undefined ? null : workflowUrl(webhookShardId(shard), settings),
  };
}

/** The last attempt, where its receiver fails. */
async function lastAttemptOf(
  { sql }: WebhookPageDeps,
  health: SubscriptionHealth | undefined,
): Promise<LastAttempt | null> {
  if (!health?.failingSince) return null;
  return (await findLastAttempt(sql, health.subscriptionId)) ?? null;
}

function pathOfWebhook(params: Readonly<Record<string, string>>): string {
  const { inventory_system_id: systemId = '', type = '' } = params;
  return `${LIST}/${encodeURIComponent(systemId)}/${encodeURIComponent(type)}`;
}

function pathOfDelivery(data: unknown): string {
  return `/console/deliveries/${(data as { readonly delivery_id: string }).delivery_id}`;
}
