import { randomUUID } from 'node:crypto';
import { startSandbox } from '../../dev/sandbox/sandbox';
import { simulateApp } from '../../dev/sandbox/simulated-app';
import { adapterOf } from '../../src/delivery-apps/registry';
import { driftOf } from '../../src/delivery-apps/shown-changes';
import type { PollOutcome } from '../../src/delivery-apps/app-client';
import type { StoreFacts, TransformResult } from '../../src/delivery-apps/types';
import type { MenuDocument } from '../../src/menus/menu';
import { parseCidrs } from '../../src/platform/outbound/addresses';
import { createOutboundClient } from '../../src/platform/outbound/http-client';
import type { OutboundRequest } from '../../src/platform/outbound/types';
import { JUDGED_APPS } from '../support/judge-random-menus';
import { shownDifferences } from '../support/shown-differences';
import { setSpecialDays } from './judge-special-days';
import {
  CLIENT,
  credentialOf,
  type JudgedApp,
  type JudgedShop,
  shopPage,
  told,
  tokenOf,
} from './judged-shop';
import { changedRichMenu, richMenu } from './rich-menu';

/** An adapter with one error, and the beginning of the finding. */
export interface WrongAdapter {
  readonly what: string;
  /** Its change to the right payload. */
  readonly payload?: (payload: object) => unknown;
  /** Its change to the right requests. */
  readonly request?: (request: OutboundRequest) => OutboundRequest;
  readonly found: string;
  /** Decimals of the store's currency; else 2. */
  readonly currencyExponent?: 3;
}

/** The longest pause between two calls that any rate requires: the sandbox's clock advances by it with each look. */
const TICK_MS = 500;
const SWITCHED = ['I1', 'I/2'] as const;

export interface Judge {
  /** The finding about an adapter: a refusal, or how what guests see differs; `nothing` for a right one. */
  judge(wrong?: Omit<WrongAdapter, 'what' | 'found'>): Promise<string>;
  close(): Promise<void>;
}

/**
 * Each adapter goes the whole way in its own store: token, push, task, what is shown, and read back, changes of single
 * items, items off and on sale, a pause, special days.
 */
export async function openJudge(app: JudgedApp): Promise<Judge> {
  let now = Date.now();
  const sandbox = await startSandbox({
    port: 0,
    parts: [simulateApp(app.simulate(CLIENT))],
    clock: () => (now += TICK_MS),
  });
  const http = createOutboundClient({ allowCidrs: parseCidrs('127.0.0.0/8'), userAgent: 'test' });
  const judged = JUDGED_APPS.find(({ name }) => name === app.name);
  if (!judged) throw new Error(`${app.name} is not judged.`);
  const adapter = adapterOf(app.name);
  const menu = richMenu(app.menus);
  const changed = changedRichMenu(app.menus, app.name);
  return {
    async judge(wrong = {}) {
      const { payload: spoil = itself, request: spoilRequest = itself } = wrong;
      const { currencyExponent = 2 } = wrong;
      const appStoreId = randomUUID();
      const client = adapter.createClient({
        http: { ...http, request: (request) => http.request(spoilRequest(request)) },
        baseUrl: `${sandbox.url}/${app.name}`,
        timeoutMs: 10_000,
      });
      const store: StoreFacts = { appStoreId, currencyExponent, locale: 'es_mx' };
      const transformed = adapter.transform({ menu, store });
      const spoiled = spoil(JSON.parse(JSON.stringify(transformed.payload)) as object);
      const shop: JudgedShop = { app, client, appStoreId, sandbox, tokens: new Map() };
      const refusal = await push(shop, Buffer.from(JSON.stringify(spoiled)));
      if (refusal !== undefined) return refusal;
      const { payload } = await shopPage(shop);
      if (payload === null) return 'shows nothing';
      const shown = adapter.readShown(payload, { store, sentMenus: menu.menus });
      const [difference] = unnamed(menu, transformed, shown, judged.differences);
      if (difference !== undefined) return `shows otherwise: ${difference}`;
      const misread = await readMenu(shop, Buffer.from(JSON.stringify(payload)), store);
      if (misread !== undefined) return misread;
      return (
        (await changeItems(shop, [menu, changed], judged.differences, currencyExponent)) ??
        (await switchItems(shop)) ??
        (await pauseStore(shop)) ??
        (await setSpecialDays(shop)) ??
        'nothing'
      );
    },
    async close() {
      await http.close();
      await sandbox.close();
    },
  };
}

function itself<T>(right: T): T {
  return right;
}

/** Undefined = it is live. */
async function push(shop: JudgedShop, payload: Buffer): Promise<string | undefined> {
  const { client, appStoreId } = shop;
  const result = await client.fetchToken(credentialOf(shop));
  if (result.kind !== 'token') return `no token: ${result.reason}`;
  const { token } = result;
  const pushed = await client.pushMenu({ token, appStoreId, payload });
  if (pushed.kind !== 'accepted') return pushed.kind === 'live' ? undefined : told(pushed);
  const { taskId } = pushed;
  const use = adapterOf(shop.app.name).ownTokens?.tasks;
  const asking = await client.fetchToken({ ...credentialOf(shop), ...(use && { use }) });
  if (asking.kind !== 'token') return `no token: ${asking.reason}`;
  const { store } = credentialOf(shop);
  const question = { token: asking.token, appStoreId, taskId, store, pushedAt: new Date(0) };
  let polled: PollOutcome | undefined;
  for (let polls = 0; polls < 5 && (!polled || polled.kind === 'running'); polls += 1) {
    polled = await client.pollTask?.(question);
  }
  return polled?.kind === 'live' ? undefined : `task ${polled ? told(polled) : 'unknown'}`;
}

/** Undefined = the app cannot be read, or is read as it shows. */
async function readMenu(
  shop: JudgedShop,
  payload: Buffer,
  store: StoreFacts,
): Promise<string | undefined> {
  const { app, client, appStoreId } = shop;
  if (!client.readMenu) return undefined;
  const token = await tokenOf(shop);
  const read = await client.readMenu({ token, appStoreId });
  if (read.kind !== 'read') return `reads ${told(read)}`;
  const drift = driftOf(adapterOf(app.name), { store, sentMenus: [] }, payload, read.payload, 1);
  return drift?.count === 0 ? undefined : `reads otherwise: ${JSON.stringify(drift?.changes)}`;
}

/** Makes of one menu another one by the app's calls about items, if it has such; undefined = guests see the other one. */
async function changeItems(
  shop: JudgedShop,
  [menu, changed]: readonly [MenuDocument, MenuDocument],
  differences: Parameters<typeof shownDifferences>[2],
  currencyExponent: 2 | 3,
): Promise<string | undefined> {
  const { app, client, appStoreId } = shop;
  const adapter = adapterOf(app.name);
  if (!adapter.itemCalls) return undefined;
  const store = { appStoreId, currencyExponent, locale: 'es_mx' } as const;
  const [before, after] = [menu, changed].map((each) => adapter.transform({ menu: each, store }));
  const plan = adapter.itemCalls.plan(before?.payload, after?.payload, store);
  if (!plan || !after) return 'changes nothing by calls about items';
  const token = await tokenOf(shop);
  for (const call of plan.calls) {
    const outcome = await client.changeItems?.({ token, appStoreId, call, isOff: false });
    if (outcome?.kind !== 'changed') return `change ${outcome ? told(outcome) : 'unknown'}`;
  }
  const { payload, off } = await shopPage(shop);
  const shown = adapter.readShown(payload, { store, sentMenus: changed.menus });
  const [difference] = unnamed(changed, after, shown, differences);
  if (difference !== undefined) return `changes otherwise: ${difference}`;
  return off.length > 0 ? 'changes otherwise: takes items off sale' : undefined;
}

async function switchItems(shop: JudgedShop): Promise<string | undefined> {
  const { app, client, appStoreId } = shop;
  const { idsPerCall } = adapterOf(app.name).availability;
  const until = new Date(Math.ceil(Date.now() / 1000) * 1000 + 3_600_000);
  for (const available of [false, true]) {
    const calls = idsPerCall === 1 ? SWITCHED.map((id) => [id]) : [SWITCHED];
    for (const ids of calls) {
      const token = await tokenOf(shop);
      const items = ids.map((wireId) => ({ wireId, available, until: available ? null : until }));
      const { store } = credentialOf(shop);
      const outcome = await client.switchItems({ token, appStoreId, store, items });
      if (outcome.kind !== 'switched') return `switch ${told(outcome)}`;
    }
    const { off } = await shopPage(shop);
    const ids = off.map(({ id }) => id).toSorted();
    const wanted = available ? '' : [...SWITCHED].toSorted().join();
    if (ids.join() !== wanted) return `switches otherwise: ${ids.join() || 'none off'}`;
    const wantedEnd = app.endsSuspensions ? until.toISOString() : null;
    const other = off.find((item) => item.until !== wantedEnd);
    if (other) return `switches otherwise: until ${other.until}`;
  }
  return undefined;
}

async function pauseStore(shop: JudgedShop): Promise<string | undefined> {
  const { app, client, appStoreId } = shop;
  const credential = credentialOf(shop);
  const use = adapterOf(app.name).ownTokens?.pauses;
  for (const paused of [true, false]) {
    const token = await tokenOf(shop, use);
    const { store } = credential;
    const until = paused ? new Date(Date.now() + 3_600_000) : null;
    const request = { token, appStoreId, store, paused, until, reason: null };
    const outcome = await client.pauseStore(request);
    if (outcome.kind !== 'done') return `pause ${told(outcome)}`;
    if ((await shopPage(shop)).paused !== paused) return `pauses otherwise`;
  }
  return undefined;
}

function unnamed(
  menu: MenuDocument,
  { losses }: TransformResult,
  shown: Parameters<typeof shownDifferences>[1],
  options: Parameters<typeof shownDifferences>[2],
): readonly string[] {
  const reported = new Set(losses.map(({ code, pointer }) => `${code} ${pointer}`));
  return shownDifferences(menu, shown, options)
    .filter((difference) => !difference.losses.some((loss) => reported.has(loss)))
    .map(({ what }) => what);
}
