import { setTimeout as sleep } from 'node:timers/promises';
import { type NumberedMenu, numberedMenu } from './rig/numbered-menu';
import { type MenuRig, type MenuStore, type Part, PARTS, startMenuRig } from './rig/menu-rig';
import { busySeconds, shareOfMachine } from './rig/machine-load';
import { quantile } from './rig/quantile';
import { wholeNumber, wholeNumbers } from './rig/settings';

/*
 * How many menus a deployment on this machine takes, and how long a caller waits for `Menu successfully uploaded.`
 * Each client uploads one menu at a time, always a new one, to its own stores in turn, so no upload supersedes
 * another. Only a 200 counts, and each menu must be found in the simulated app, by the SHA-256 of the expected
 * payload.
 */

const SECONDS = wholeNumber('SECONDS', 60, 600);
const ENTITIES = wholeNumbers('ENTITIES', '10,630,4000', 10_000);
const CLIENTS = wholeNumbers('CLIENTS', '1,16', 200);
/** Stores per client. With one store its next upload would find the workflow still alive, which saves a start. */
const STORES = wholeNumber('STORES', 10, 100);
/** Until then code is compiled, connections are opened and the token is fetched. */
const WARM_UP_SECONDS = Math.min(10, SECONDS / 3);

interface Upload {
  readonly appStoreId: string;
  readonly number: number;
  readonly status: number;
  readonly ms: number;
}

let lastNumber = 0;

async function main(): Promise<void> {
  const rig = await startMenuRig();
  try {
    console.log(rig.setting.join('\n'));
    console.log(`App B; ${SECONDS} s a row after ${WARM_UP_SECONDS.toFixed(0)} s of warming up`);
    const stores = await rig.addStores(Math.max(...CLIENTS) * STORES);
    const rows: Row[] = [];
    for (const entities of ENTITIES) {
      for (const clients of CLIENTS) {
        rows.push(await measure(rig, stores.slice(0, clients * STORES), entities, clients));
      }
    }
    console.table(rows.map(({ numbers: shown }) => shown));
    console.log('CPU ms per upload');
    console.table(rows.map(({ cpu }) => cpu));
    if (rows.some(({ numbers: { lost } }) => lost > 0)) process.exitCode = 1;
  } finally {
    await rig.stop();
  }
}

type Row = Awaited<ReturnType<typeof measure>>;

async function measure(rig: MenuRig, stores: MenuStore[], entities: number, clients: number) {
  const menu = numberedMenu(entities);
  await run(rig, menu, stores, clients, WARM_UP_SECONDS);
  await rig.takeReceived();

  const [before, busyBefore] = [rig.cpu(), busySeconds()];
  const measuring = new AbortController();
  const memory = watchMemory(rig, measuring.signal);
  const { uploads, seconds } = await run(rig, menu, stores, clients, SECONDS);
  const [after, busyAfter] = [rig.cpu(), busySeconds()];
  measuring.abort();
  const { api, worker } = await memory;

  const good = uploads.filter(({ status }) => status === 200);
  const durations = good.map(({ ms }) => ms).toSorted((a, b) => a - b);
  const used = (part: Part): number => after[part] - before[part];
  const ours = PARTS.reduce((sum, part) => sum + used(part), 0);
  const setting = { entities, kB: Math.round(menu.bytes / 1000), clients };
  return {
    numbers: {
      ...setting,
      'uploads/s': (good.length / seconds).toFixed(1),
      'p50 ms': quantile(durations, 0.5).toFixed(0),
      'p95 ms': quantile(durations, 0.95).toFixed(0),
      'p99 ms': quantile(durations, 0.99).toFixed(0),
      uploads: good.length,
      'not 200': uploads.length - good.length,
      ...compare(menu, good, await rig.takeReceived()),
      'api MB': Math.round(api),
      'worker MB': Math.round(worker),
    },
    cpu: {
      ...setting,
      ...Object.fromEntries(
        PARTS.map((part) => [part, ((used(part) * 1000) / good.length).toFixed(1)]),
      ),
      'all parts': ((ours * 1000) / good.length).toFixed(1),
      '% of machine': shareOfMachine(ours, seconds).toFixed(0),
      'other programs %': shareOfMachine(busyAfter - busyBefore - ours, seconds).toFixed(0),
    },
  };
}

/** Clients take the numbers in turn, and each goes round its own stores. */
async function run(
  rig: MenuRig,
  menu: NumberedMenu,
  stores: readonly MenuStore[],
  clients: number,
  seconds: number,
): Promise<{ uploads: Upload[]; seconds: number }> {
  const uploads: Upload[] = [];
  const startedAt = performance.now();
  const until = startedAt + seconds * 1000;
  const uploadUntilEnd = async (_: unknown, client: number): Promise<void> => {
    for (let nth = 0; performance.now() < until; nth += 1) {
      const store = stores[client * STORES + (nth % STORES)];
      if (!store) throw new Error('a client has no store of its own');
      const number = (lastNumber += 1);
      const body = menu.body(number, store.storeId, rig.integrationId);
      const at = performance.now();
      const status = await rig.upload(body);
      const { appStoreId } = store;
      uploads.push({ appStoreId, number, status, ms: performance.now() - at });
    }
  };
  await Promise.all(Array.from({ length: clients }, uploadUntilEnd));
  return { uploads, seconds: (performance.now() - startedAt) / 1000 };
}

/** `lost`: answered 200 but not in the app as it had to be. `repeats`: pushes beyond one for each upload. */
function compare(
  menu: NumberedMenu,
  good: readonly Upload[],
  received: Awaited<ReturnType<MenuRig['takeReceived']>>,
): { lost: number; repeats: number } {
  const keys = received.map(({ appStoreId, sha256 }) => `${appStoreId} ${sha256}`);
  const arrived = new Set(keys);
  const lost = good.filter(
    ({ appStoreId, number }) => !arrived.has(`${appStoreId} ${menu.payloadSha256(number)}`),
  );
  return { lost: lost.length, repeats: keys.length - arrived.size };
}

/** The most that API and worker held at any full second, MB. */
async function watchMemory(rig: MenuRig, signal: AbortSignal) {
  const most = { api: 0, worker: 0 };
  while (!signal.aborted) {
    most.api = Math.max(most.api, rig.memory('api'));
    most.worker = Math.max(most.worker, rig.memory('worker'));
    await sleep(1000, undefined, { signal }).catch(() => {});
  }
  return most;
}

void main();
