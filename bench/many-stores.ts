import { numberedMenu } from './rig/numbered-menu';
import { type MenuRig, type MenuStore, PARTS, startMenuRig } from './rig/menu-rig';
import { spread } from './rig/quantile';
import { wholeNumber } from './rig/settings';
import { atRate } from './rig/pace';

/*
 * Whether an upload costs more when there are many stores: uploads at a fixed rate over a few stores, then over all of
 * STORES (50,000), each of which has a publication and a live menu, then over the few once more. A workflow of
 * the many has been at rest, one of the few has just gone there. Settings: STORES, FEW (1,600), RATE (20 a
 * second), SECONDS (60), ENTITIES (630).
 */

const STORES = wholeNumber('STORES', 50_000, 200_000);
const FEW = wholeNumber('FEW', 1_600, 200_000);
const RATE = wholeNumber('RATE', 20, 1_000);
const SECONDS = wholeNumber('SECONDS', 60, 600);
const ENTITIES = wholeNumber('ENTITIES', 630, 10_000);
const WARM_UP_SECONDS = 10;
/** Coprime to any round number of stores, so that each store is met. */
const STRIDE = 7_919;

async function main(): Promise<void> {
  const rig = await startMenuRig();
  try {
    console.log(rig.setting.join('\n'));
    console.log(`App B, ${ENTITIES} entities, ${RATE} uploads a second for ${SECONDS} s`);
    const few = await rig.putStores(FEW);
    await load(rig, few, WARM_UP_SECONDS);
    const rows = [await measure(rig, few)];
    const all = [...few, ...(await rig.putStores(STORES - FEW))];
    rows.push(await measure(rig, all), await measure(rig, few));
    console.table(rows);
  } finally {
    await rig.stop();
  }
}

async function measure(rig: MenuRig, stores: readonly MenuStore[]) {
  await rig.takeReceived();
  const before = rig.cpu();
  const uploads = await load(rig, stores, SECONDS);
  const after = rig.cpu();
  const good = uploads.filter(({ status }) => status === 200);
  const received = await rig.takeReceived();
  const spent = PARTS.map(
    (part) => [part, ((after[part] - before[part]) * 1_000) / good.length] as const,
  );
  return {
    stores: stores.length,
    uploads: good.length,
    'not 200': uploads.length - good.length,
    received: received.length,
    ...spread(good.map(({ ms }) => ms)),
    ...Object.fromEntries(spent.map(([part, ms]) => [`${part} ms`, ms.toFixed(1)])),
    'all ms': spent.reduce((sum, [, ms]) => sum + ms, 0).toFixed(1),
  };
}

let lastNumber = 0;
const menu = numberedMenu(ENTITIES);

async function load(rig: MenuRig, stores: readonly MenuStore[], seconds: number) {
  return atRate(RATE, seconds, async (nth) => {
    const store = stores[(nth * STRIDE) % stores.length];
    if (!store) throw new Error('a load needs a store');
    const body = menu.body((lastNumber += 1), store.storeId, rig.integrationId);
    const at = performance.now();
    const status = await rig.upload(body);
    return { status, ms: performance.now() - at };
  });
}

void main();
