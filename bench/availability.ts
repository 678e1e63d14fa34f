import { setTimeout as sleep } from 'node:timers/promises';
import { numberedMenu } from './rig/numbered-menu';
import { type AppCall, type MenuRig, type MenuStore, startMenuRig } from './rig/menu-rig';
import { spread } from './rig/quantile';
import { wholeNumber } from './rig/settings';
import { atRate } from './rig/pace';

/*
 * How long an item that has run out stays on sale: from the POST until the app is called, and until the caller's 200.
 * Menus are uploaded meanwhile. Then 200 items in one request, which App B takes in two calls.
 */

const SECONDS = wholeNumber('SECONDS', 60, 600);
const STORES = 100;
/** Requests about one item a second. App B takes 60 calls a minute for each store, 30 of them at once. */
const PER_SECOND = 10;
/** The concurrent load: menus of this size, one after the other from each client, to separate stores. */
const LOAD = { entities: 100, clients: 1, stores: 10, pauseMs: 500 } as const;
const LARGE = { entities: 630, items: 200, requests: 10 } as const;
const WARM_UP_SECONDS = Math.min(10, SECONDS / 3);
/** The goals under that load. */
const WANTED_P50_MS = 150;

interface Switched {
  readonly appStoreId: string;
  readonly status: number;
  /** When it was sent, ms since epoch, and how long until the answer was read. */
  readonly sentAt: number;
  readonly ms: number;
}

async function main(): Promise<void> {
  const rig = await startMenuRig();
  try {
    const stores = await rig.addStores(STORES + LOAD.stores + 1);
    const [large, ...rest] = stores;
    if (!large) throw new Error('there is no store');
    const [single, loaded] = [rest.slice(0, STORES), rest.slice(STORES)];
    console.log(rig.setting.join('\n'));
    console.log(
      `App B; ${PER_SECOND} requests a second about one item each, over ${STORES} stores, ${SECONDS} s after ${WARM_UP_SECONDS.toFixed(0)} s of warming up`,
    );
    console.log(
      `Beside them ${LOAD.clients} client uploads menus of ${LOAD.entities} entities, ${LOAD.pauseMs} ms after each answer`,
    );
    const small = numberedMenu(LOAD.entities);
    for (const store of single) await rig.upload(small.body(1, store.storeId, rig.integrationId));
    await rig.upload(numberedMenu(LARGE.entities).body(1, large.storeId, rig.integrationId));

    const loading = new AbortController();
    const load = uploadUntil(rig, loaded, loading.signal);
    await switchAll(rig, single, WARM_UP_SECONDS);
    await rig.takeCalls();
    const switched = await switchAll(rig, single, SECONDS);
    const calls = await rig.takeCalls();
    const rows = [row('one item', switched, firstCalls(switched, calls))];
    const many = await switchMany(rig, large);
    rows.push(row(`${LARGE.items} items: the last call`, many.switched, many.lastCallMs));
    loading.abort();
    const uploads = await load;
    console.table(rows.map(({ cells }) => cells));
    console.log(`${uploads} menus were uploaded beside it`);
    const [one] = rows;
    const isSlow = !(one && one.p50 < WANTED_P50_MS);
    if (isSlow || rows.some(({ lost }) => lost > 0)) process.exitCode = 1;
  } finally {
    await rig.stop();
  }
}

/** Sends at an even rate, however long the answers take: an open loop. */
async function switchAll(
  rig: MenuRig,
  stores: readonly MenuStore[],
  seconds: number,
): Promise<Switched[]> {
  return atRate(PER_SECOND, seconds, async (n) => {
    const store = stores[n % stores.length];
    if (!store) throw new Error('a load needs a store');
    // Off in one round, back on in the next.
    const available = Math.floor(n / stores.length) % 2 === 1;
    return switchItems(rig, store, [{ external_id: 'item-0', available }]);
  });
}

async function switchMany(rig: MenuRig, store: MenuStore) {
  const switched: Switched[] = [];
  const lastCallMs: number[] = [];
  await rig.takeCalls();
  for (let n = 0; n < LARGE.requests; n += 1) {
    const items = Array.from({ length: LARGE.items }, (_, at) => ({
      external_id: `item-${at}`,
      available: n % 2 === 1,
    }));
    const one = await switchItems(rig, store, items);
    const times = callsOf(await rig.takeCalls(), store).map(({ startedAt }) => startedAt);
    // 100 ids in a call.
    if (times.length === LARGE.items / 100) lastCallMs.push(Math.max(...times) - one.sentAt);
    switched.push(one);
    // The app accepts 60 calls a minute.
    await sleep(2_000);
  }
  return { switched, lastCallMs };
}

async function switchItems(rig: MenuRig, store: MenuStore, items: object[]): Promise<Switched> {
  const sentAt = Date.now();
  const startedAt = performance.now();
  const status = await rig.switchItems(store.storeId, items);
  return { appStoreId: store.appStoreId, status, sentAt, ms: performance.now() - startedAt };
}

/** For each request the time until its store's first call after it, ms; a store has one request at a time. */
function firstCalls(switched: readonly Switched[], calls: readonly AppCall[]): number[] {
  return switched.flatMap(({ appStoreId, sentAt }) => {
    const call = calls.find((one) => one.appStoreId === appStoreId && one.startedAt >= sentAt);
    return call ? [call.startedAt - sentAt] : [];
  });
}

function callsOf(calls: readonly AppCall[], { appStoreId }: MenuStore): readonly AppCall[] {
  return calls.filter((call) => call.appStoreId === appStoreId);
}

async function uploadUntil(
  rig: MenuRig,
  stores: readonly MenuStore[],
  signal: AbortSignal,
): Promise<number> {
  const menu = numberedMenu(LOAD.entities);
  let uploads = 0;
  while (!signal.aborted) {
    const store = stores[uploads % stores.length];
    if (!store) break;
    uploads += 1;
    await rig.upload(menu.body(uploads + 1, store.storeId, rig.integrationId));
    await sleep(LOAD.pauseMs, undefined, { signal }).catch(() => {});
  }
  return uploads;
}

function row(what: string, switched: readonly Switched[], toCall: readonly number[]) {
  const good = switched.filter(({ status }) => status === 200);
  const [call, answer] = [spread(toCall), spread(good.map(({ ms }) => ms))];
  const lost = switched.length - toCall.length;
  return {
    p50: Number(call.p50),
    lost,
    cells: {
      what,
      requests: switched.length,
      'not 200': switched.length - good.length,
      'without call': lost,
      'to the call p50 ms': call.p50,
      'p99 ms': call.p99,
      'max ms': call.max,
      'to the 200 p50 ms': answer.p50,
      p99: answer.p99,
    },
  };
}

void main();
