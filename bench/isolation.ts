import { setTimeout as sleep } from 'node:timers/promises';
import {
  type IsolationRig,
  type Neighbourhood,
  noTimes,
  startIsolationRig,
  type Times,
  type Work,
} from './rig/isolation-rig';
import { atRate } from './rig/pace';
import { quantile } from './rig/quantile';
import { PARTIES, type Party } from './rig/unwell-servers';
import { positiveNumber, wholeNumber } from './rig/settings';

/*
 * What one party that never answers costs all others: a delivery app, its token endpoint, an image host, a POS or a
 * receiver. Uploads, events and stock updates go to healthy parties at fixed rates. The same load of one kind also
 * goes to a healthy party (`sound`) and, alternately, to the same party while it hangs. Prints the milliseconds from
 * a request to its answer at the healthy parties; the goal is a p99 within 1.2 of the sound one.
 */

const SECONDS = wholeNumber('SECONDS', 60, 600);
const ROUNDS = wholeNumber('ROUNDS', 2, 10);
const ASKED = (process.env['PARTIES'] ?? PARTIES.join(',')).split(',');
/**
 * A factor for the requests to healthy parties: near the machine's capacity a p99 shows its load rather than any
 * waiting.
 */
const LOAD = positiveNumber('LOAD', 1, 10);
/** `HANG=no` plays the same load with nobody hanging: what its ratios are off 1 is the noise of a p99. */
const HANGS = process.env['HANG'] !== 'no';
const GOAL = 1.2;

/** Requests a second to the well. */
const RATES: Readonly<Record<Work, number>> = {
  upload: 4 * LOAD,
  imageUpload: 3 * LOAD,
  event: 20 * LOAD,
  stockUpdate: 10 * LOAD,
};
/** What is sent to each unhealthy party, and how often a second. */
const TROUBLE: Readonly<Record<Party, readonly [work: Work, rate: number]>> = {
  app: ['upload', 2],
  token: ['upload', 2],
  images: ['imageUpload', 2],
  pos: ['stockUpdate', 10],
  receiver: ['event', 20],
};

async function main(): Promise<void> {
  const rig = await startIsolationRig();
  try {
    console.log(rig.setting.join('\n'));
    console.log(
      `${ROUNDS} times ${SECONDS} s each; a second to the well: ${JSON.stringify(RATES)}`,
    );
    await run(rig, 'app', Math.min(10, SECONDS));
    for (const party of PARTIES.filter((each) => ASKED.includes(each))) {
      const [work, rate] = TROUBLE[party];
      console.log(`${party}: ${rate} a second (${work}) that it answers, or leaves unanswered`);
      console.table(await measure(rig, party));
    }
  } finally {
    await rig.stop();
  }
}

async function measure(rig: IsolationRig, party: Party) {
  const sound = noTimes();
  const beside = noTimes();
  const cpu = { sound: {}, beside: {} };
  const runs = [
    async () => {
      const [before, times] = [rig.cpu(), await run(rig, party, SECONDS)];
      add(sound, times);
      addCpu(cpu.sound, before, rig.cpu());
    },
    async () => {
      if (HANGS) await rig.hang(party);
      if (party === 'token') await rig.unwell.forgetTokens();
      const [before, times] = [rig.cpu(), await run(rig, party, SECONDS)];
      add(beside, times);
      addCpu(cpu.beside, before, rig.cpu());
      await rig.hang(null);
      // What hung is tried again and must not count as trouble of the next run.
      await sleep(Math.min(SECONDS, 30) * 1000);
    },
  ];
  // Each goes first in turn, because the first one of a round meets colder caches.
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const play of round % 2 === 0 ? runs : runs.toReversed()) await play();
  }
  for (const [name, seconds] of Object.entries(cpu)) console.log(`CPU ${name}: ${cores(seconds)}`);
  return (Object.keys(sound) as Work[]).map((work) => row(work, sound[work], beside[work]));
}

function addCpu(
  sum: Record<string, number>,
  before: Readonly<Record<string, number>>,
  after: Readonly<Record<string, number>>,
): void {
  for (const part of Object.keys(after)) {
    sum[part] = (sum[part] ?? 0) + (after[part] ?? 0) - (before[part] ?? 0);
  }
}

/** In per cent of a core, part by part and all together. */
function cores(seconds: Readonly<Record<string, number>>): string {
  const all = { ...seconds, all: Object.values(seconds).reduce((sum, each) => sum + each, 0) };
  return Object.entries(all)
    .map(([part, each]) => `${part} ${((each / (SECONDS * ROUNDS)) * 100).toFixed(0)} %`)
    .join(', ');
}

function p(times: readonly number[] | undefined, share: number): number {
  return quantile(times ?? [], share);
}

function row(work: Work, sound: number[], beside: number[]) {
  const [a, b] = [sound, beside].map((times) => times.toSorted((x, y) => x - y));
  const ratio = p(b, 0.99) / p(a, 0.99);
  return {
    'of the others': work,
    n: beside.length,
    'p50 sound': p(a, 0.5).toFixed(1),
    'p50 beside': p(b, 0.5).toFixed(1),
    'p99 sound': p(a, 0.99).toFixed(1),
    'p99 beside': p(b, 0.99).toFixed(1),
    'max beside': p(b, 1).toFixed(1),
    'p99 ratio': ratio.toFixed(2),
    goal: ratio <= GOAL ? 'met' : `over ${GOAL}`,
  };
}

/**
 * Loads both neighbourhoods for a while; returns the times of the requests to healthy parties. Those to unhealthy
 * ones are not awaited.
 */
async function run(rig: IsolationRig, party: Party, seconds: number): Promise<Times> {
  const times = noTimes();
  const [work, rate] = TROUBLE[party];
  const trouble = openLoop(rig.unwell, work, rate, seconds, []);
  await Promise.all(
    (Object.keys(RATES) as Work[]).map((each) =>
      openLoop(rig.well, each, RATES[each], seconds, times[each]),
    ),
  );
  trouble.catch(() => {});
  return times;
}

async function openLoop(
  neighbourhood: Neighbourhood,
  work: Work,
  rate: number,
  seconds: number,
  times: number[],
): Promise<void> {
  await atRate(rate, seconds, () => timed(neighbourhood, work, times));
}

async function timed(neighbourhood: Neighbourhood, work: Work, times: number[]): Promise<void> {
  const at = performance.now();
  const status = await neighbourhood.send(work).catch(() => 0);
  // An answer of "later" counts as the longest time.
  times.push(status === 200 ? performance.now() - at : 25_000);
}

function add(all: Times, more: Times): void {
  for (const work of Object.keys(all) as Work[]) all[work].push(...more[work]);
}

void main();
