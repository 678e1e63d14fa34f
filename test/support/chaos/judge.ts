import type { Sql } from '../../../src/platform/db/client';
import { messageIdOf } from '../../../src/webhooks/delivery-ids';
import type { DeliveryId } from '../../../src/platform/ids';
import type { Arrival } from '../child-chaos-simulators';
import type { AppRequest } from '../shop';
import { versionIn } from '../versioned-menu';
import type { Arena } from './arena';
import type { AcceptedUpload, Ledger } from './ledger';
import type { ChaosShop, World } from './world';

/** Broken promises, by promise; the lists should be empty. */
export interface Violations {
  /** Accepted, and not carried out. */
  readonly lost: readonly string[];
  /** Shops that show another menu than the last that was accepted, or that showed an older one after a newer one. */
  readonly wrong: readonly string[];
  /** Menus that were sent to a shop while another push was in progress. */
  readonly overlapping: readonly string[];
  /** Events and uploads that were accepted once and became two. */
  readonly doubled: readonly string[];
  /** Webhooks that arrived again after their caller had got the acknowledgement. */
  readonly late: readonly string[];
  readonly endedByItself: readonly string[];
  /** Answers that no fault explains. */
  readonly surprising: readonly string[];
}

export interface Judgement {
  readonly violations: Violations;
  /** Webhooks that came more than once before they were recorded: promised is at least once. */
  readonly repeatedWebhooks: number;
  readonly pushes: number;
}

/** Compares what happened with what was promised. */
export async function judge(arena: Arena, world: World, ledger: Ledger): Promise<Judgement> {
  const arrivals = await arena.arrivals();
  const requests = await pushRequests(arena);
  return {
    violations: {
      lost: [
        ...(await lostUploads(arena.sql, ledger)),
        ...(await lostEvents(arena.sql, ledger, arrivals)),
      ],
      wrong: await wrongMenus(arena, world, ledger),
      overlapping: overlappingPushes(requests),
      doubled: [...doubledEvents(arrivals), ...(await unknownRows(arena.sql, ledger))],
      late: lateWebhooks(ledger, arrivals),
      endedByItself: arena.processes.flatMap((part) => part.endedByItself),
      surprising: ledger.surprises,
    },
    repeatedWebhooks: arrivals.length - new Set(arrivals.map((each) => each.messageId)).size,
    pushes: requests.length,
  };
}

/** Every upload ends: as uploaded, or because a newer one came. No app of a run refuses a menu. */
async function lostUploads(sql: Sql, { uploads }: Ledger): Promise<string[]> {
  const rows = await sql<{ uploadId: string; state: string; messages: unknown }[]>`
    select upload_id, state, messages from menu_upload`;
  const byId = new Map(rows.map((row) => [row.uploadId, row]));
  return uploads.flatMap(({ uploadId, shop, version }) => {
    const row = byId.get(uploadId);
    if (row && ['uploaded', 'superseded'].includes(row.state)) return [];
    const end = row ? `${row.state} ${JSON.stringify(row.messages)}` : 'gone';
    return [`${shop.app} ${shop.storeId} ${version} ${uploadId}: ${end}`];
  });
}

async function lostEvents(
  sql: Sql,
  { events }: Ledger,
  arrivals: readonly Arrival[],
): Promise<string[]> {
  const rows = await sql<{ deliveryId: string; state: string }[]>`
    select delivery_id, state from any_delivery`;
  const states = new Map(rows.map((row) => [row.deliveryId, row.state]));
  const came = new Set(arrivals.map(({ path, event }) => `${path} ${event}`));
  return events.flatMap(({ deliveryId, path, event }) => {
    const state = states.get(deliveryId) ?? 'gone';
    const isDone = state === 'acknowledged' || state === 'delivered';
    if (isDone && came.has(`${path} ${event}`)) return [];
    return [
      `${path} event ${event} ${deliveryId}: ${state}, ${came.has(`${path} ${event}`) ? 'came' : 'never came'}`,
    ];
  });
}

async function wrongMenus(arena: Arena, world: World, { uploads }: Ledger): Promise<string[]> {
  const wrong: string[] = [];
  for (const shop of world.shops) {
    const name = `${shop.app} ${shop.storeId}`;
    const last = uploads.findLast((each: AcceptedUpload) => each.shop === shop)?.version;
    const shown = await shownBy(arena, shop);
    if (shown.at(-1) !== last) wrong.push(`${name} shows ${shown.at(-1)}, not ${last}`);
    const newestFirst = shown.findIndex(
      (version, index) => number(version) < number(shown[index - 1]),
    );
    if (newestFirst >= 0)
      wrong.push(`${name} showed ${shown[newestFirst]} after ${shown[newestFirst - 1]}`);
  }
  return wrong;
}

/** Of `v12`: 12. */
function number(version: string | undefined): number {
  return Number(version?.slice(1) ?? 0);
}

/** The versions that the shop has shown, oldest first. */
async function shownBy(arena: Arena, shop: ChaosShop): Promise<(string | undefined)[]> {
  const menus = (await page(arena, shop.app, 'menus')) as { store_id: string; payload: unknown }[];
  return menus
    .filter((each) => each.store_id === shop.appStoreId)
    .map((each) => versionIn(each.payload));
}

type PushRequest = AppRequest & { readonly app: string; readonly store_id: string };

export async function pushRequests(arena: Arena): Promise<PushRequest[]> {
  const apps = ['app-a', 'app-b', 'app-c'].map(async (app) => {
    const requests = (await page(arena, app, 'requests')) as PushRequest[];
    return requests
      .filter(({ route }) => route === 'upload')
      .map((each) => Object.assign(each, { app }));
  });
  return (await Promise.all(apps)).flat();
}

async function page(arena: Arena, app: string, name: string): Promise<unknown> {
  return (await fetch(`${arena.simulators.appsUrl}/${app}/_sandbox/${name}`)).json();
}

export function overlappingPushes(requests: readonly PushRequest[]): string[] {
  const overlaps: string[] = [];
  const last = new Map<string, PushRequest>();
  for (const each of requests) {
    const key = `${each.app} ${each.store_id}`;
    const before = last.get(key);
    if (before && (before.finished_at === null || before.finished_at > each.started_at)) {
      overlaps.push(`${key} ${before.started_at}–${before.finished_at}, and ${each.started_at}`);
    }
    last.set(key, each);
  }
  return overlaps;
}

/** A request that is repeated under its idempotency key is one event. */
function doubledEvents(arrivals: readonly Arrival[]): string[] {
  const first = new Map<string, string>();
  return arrivals.flatMap(({ path, event, messageId }) => {
    const key = `${path} event ${event}`;
    const known = first.get(key) ?? messageId;
    first.set(key, known);
    return known === messageId ? [] : [`${key}: ${known} and ${messageId}`];
  });
}

/** Every request was repeated until it was answered, so a row that appears in no answer is a duplicate. */
async function unknownRows(sql: Sql, { uploads, events }: Ledger): Promise<string[]> {
  const known = [...uploads.map((each) => each.uploadId), ...events.map((each) => each.deliveryId)];
  const rows = await sql<{ id: string }[]>`
    select id from (
      select upload_id as id from menu_upload union all select delivery_id from any_delivery) as made
    where id <> all(${known}::text[])`;
  return rows.map((row) => `${row.id} was made, and nobody was told`);
}

function lateWebhooks({ events }: Ledger, arrivals: readonly Arrival[]): string[] {
  const acknowledged = new Map(
    events.map((each) => [messageIdOf(each.deliveryId as DeliveryId), each.acknowledgedAt]),
  );
  return arrivals.flatMap(({ path, event, messageId, at }) => {
    const since = acknowledged.get(messageId as ReturnType<typeof messageIdOf>);
    return since && at > since
      ? [`${path} event ${event}: ${at - since} ms after its caller was told`]
      : [];
  });
}
