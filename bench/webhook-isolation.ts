import { spread } from './rig/quantile';
import { closedLoop, openLoop, type Posted } from './rig/webhook-load';
import type { Arrivals } from './rig/webhook-receiver';
import { startWebhookRig, type WebhookRig } from './rig/webhook-rig';
import { wholeNumber } from './rig/settings';

/*
 * What receivers that never answer cost the others. From the POST of a stock event to the receiver's acknowledgement,
 * ms, at receivers that answer at once:
 *  - 20 subscriptions share 100 events a second; then one of them never answers. In turns, to even out what a run
 *    takes over from the ones before (a larger table, caches).
 *  - 10 events a second to one subscription; then 300 others hang, started together, up to 20 in flight each.
 */

type Arrival = Arrivals['first'][number];

const SECONDS = wholeNumber('SECONDS', 60, 600);
const HANGING = wholeNumber('HANGING', 300, 1_000);
const ROUNDS = 2;
const EVENTS_EACH = 20;
/** Each of these callers waits five seconds for an acknowledgement that never comes. */
const HANGING_RATE = 100;

async function main(): Promise<void> {
  const rig = await startWebhookRig();
  try {
    console.log(rig.setting.join('\n'));
    console.log(`${SECONDS} s each, the first pair ${ROUNDS} times`);
    console.table([...(await oneOfTwenty(rig)), ...(await manyAtOnce(rig))]);
  } finally {
    await rig.stop();
  }
}

interface Row {
  readonly run: string;
  readonly p50: string;
  readonly p99: string;
  readonly max: string;
  /** From the POST to the arrival at the receiver. */
  readonly 'arrival p50': string;
  readonly 'arrival p99': string;
  readonly 'not 200': number;
}

/** The same rate for the others in both runs: a fifth of the events go to the hanging one. */
async function oneOfTwenty(rig: WebhookRig): Promise<Row[]> {
  const others = await rig.addStores(19, '/ok');
  const runs = [
    { run: '20 sound', path: '/ok', posted: [] as Posted[], first: [] as Arrival[] },
    { run: '19 sound, one hangs', path: '/hang', posted: [] as Posted[], first: [] as Arrival[] },
  ] as const;
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const { path, posted, first } of runs) {
      const twentieth = await rig.addStores(1, path);
      await warmUp(rig, path === '/ok' ? [...others, ...twentieth] : others);
      const aside = openLoop(rig, twentieth, { seconds: SECONDS, rate: 20 });
      posted.push(...(await openLoop(rig, others, { seconds: SECONDS, rate: 80 })));
      await aside;
      first.push(...(await rig.takeArrivals()).first);
    }
  }
  return runs.map(({ run, posted, first }) => row(run, posted, first));
}

async function manyAtOnce(rig: WebhookRig): Promise<Row[]> {
  const [sound] = await rig.addStores(1, '/ok');
  const hanging = await rig.addStores(HANGING, '/hang');
  if (sound === undefined) throw new Error('no store');
  await warmUp(rig, [sound]);
  const load = { seconds: SECONDS, rate: 10 };
  const posted = await openLoop(rig, [sound], load);
  const alone = row('1 sound', posted, (await rig.takeArrivals()).first);
  const measuring = openLoop(rig, [sound], load);
  const events = openLoop(rig, hanging, {
    rate: HANGING_RATE,
    seconds: Math.min(SECONDS, (HANGING * EVENTS_EACH) / HANGING_RATE),
  });
  const crowded = await measuring;
  await events;
  return [alone, row(`1 sound, ${HANGING} hang`, crowded, (await rig.takeArrivals()).first)];
}

async function warmUp(rig: WebhookRig, stores: readonly number[]): Promise<void> {
  await closedLoop(rig, stores, { clients: 20, seconds: 5 });
  await rig.takeArrivals();
}

function row(run: string, posted: readonly Posted[], arrivals: readonly Arrival[]): Row {
  const answered = posted.filter((each) => each.status === 200);
  const arrivedAt = new Map(arrivals);
  const arrival = spread(
    answered.map(({ event, at }) => (arrivedAt.get(event) ?? Number.NaN) - at),
  );
  return {
    run,
    ...spread(answered.map((each) => each.ms)),
    'arrival p50': arrival.p50,
    'arrival p99': arrival.p99,
    'not 200': posted.length - answered.length,
  };
}

void main();
