import { type MenuRig, type MenuStore, type Part, startMenuRig } from './rig/menu-rig';
import { numberedMenu } from './rig/numbered-menu';
import { quantile } from './rig/quantile';
import { wholeNumber } from './rig/settings';

/*
 * One price in a live menu: how soon after the request the app hears of it, and what that costs beside an upload of the
 * whole menu with the same price. And 500 changes in one request, which go with the whole menu. Only answers 200 by the
 * expected way count.
 */

/** Of each kind. */
const REQUESTS = wholeNumber('REQUESTS', 100, 5_000);
const ENTITIES = wholeNumber('ENTITIES', 630, 10_000);
/** Each has a store in turn, as the app takes 60 calls about items a minute of each. */
const STORES = wholeNumber('STORES', 20, 200);
const WARM_UP = 20;

interface Timed {
  readonly startedAt: number;
  readonly ms: number;
  readonly store: MenuStore;
}

async function main(): Promise<void> {
  const rig = await startMenuRig();
  try {
    console.log(rig.setting.join('\n'));
    console.log(`App B, ${ENTITIES} entities, ${REQUESTS} requests of each kind, one at a time`);
    const stores = await rig.addStores(STORES);
    const menu = numberedMenu(ENTITIES);
    for (const [n, store] of stores.entries()) {
      const status = await rig.upload(menu.body(n + 1, store.storeId, rig.integrationId));
      if (status !== 200) throw new Error(`a first menu was answered ${status}`);
    }
    let number = stores.length;
    const ids = itemIdsOf(menu.body(1, stores[0]?.storeId ?? 0, rig.integrationId));
    const changesOf = (count: number) => ({
      items: ids.slice(0, count).map((external_id) => ({
        external_id,
        price: { value: String(1_000 + (number += 1)) },
      })),
    });
    const byCalls = (count: number, way: string) => async (store: MenuStore) => {
      const answer = await rig.changeItems(store.storeId, changesOf(count));
      if (answer.status !== 200 || answer.ways[0] !== way) {
        throw new Error(`a change was answered ${answer.status} ${answer.ways.join()}`);
      }
    };
    const upload = async (store: MenuStore) => {
      const body = menu.body((number += 1), store.storeId, rig.integrationId);
      const status = await rig.upload(body);
      if (status !== 200) throw new Error(`an upload was answered ${status}`);
    };
    const rows = [
      await measure(rig, stores, 'upload', 'upload of the whole', upload),
      await measure(rig, stores, 'change', 'price of one item', byCalls(1, 'items')),
      await measure(
        rig,
        stores,
        'upload',
        `prices of ${Math.min(500, ids.length)} items`,
        byCalls(500, 'menu'),
      ),
    ];
    console.table(rows);
  } finally {
    await rig.stop();
  }
}

async function measure(
  rig: MenuRig,
  stores: readonly MenuStore[],
  route: 'upload' | 'change',
  what: string,
  send: (store: MenuStore) => Promise<void>,
) {
  await run(stores, WARM_UP, send);
  await rig.takeCalls(route);
  const before = rig.cpu();
  const timed = await run(stores, REQUESTS, send);
  const after = rig.cpu();
  const calls = await rig.takeCalls(route);
  const heard = timed.flatMap(({ startedAt, store }) => {
    const call = calls.find(
      (each) => each.appStoreId === store.appStoreId && each.startedAt >= Math.floor(startedAt),
    );
    return call ? [call.startedAt - startedAt] : [];
  });
  const cpuOf = (part: Part) => (((after[part] - before[part]) * 1000) / REQUESTS).toFixed(1);
  return {
    what,
    'to the app p50 ms': quantile(sorted(heard), 0.5).toFixed(0),
    'p99 ms': quantile(sorted(heard), 0.99).toFixed(0),
    'answer p50 ms': quantile(sorted(timed.map(({ ms }) => ms)), 0.5).toFixed(0),
    ...Object.fromEntries(
      (['api', 'worker', 'postgres', 'temporal'] as const).map((part) => [
        `${part} CPU ms`,
        cpuOf(part),
      ]),
    ),
  };
}

function sorted(list: readonly number[]): readonly number[] {
  return list.toSorted((one, other) => one - other);
}

async function run(
  stores: readonly MenuStore[],
  count: number,
  send: (store: MenuStore) => Promise<void>,
): Promise<readonly Timed[]> {
  const timed: Timed[] = [];
  for (let nth = 0; nth < count; nth += 1) {
    const store = stores[nth % stores.length];
    if (!store) throw new Error('there is no store');
    const [startedAt, at] = [Date.now(), performance.now()];
    await send(store);
    timed.push({ startedAt, ms: performance.now() - at, store });
  }
  return timed;
}

function itemIdsOf(body: Buffer): readonly string[] {
  const { items } = JSON.parse(body.toString('utf8')) as {
    readonly items: readonly { readonly external_id: string }[];
  };
  return items.map((item) => item.external_id);
}

void main();
