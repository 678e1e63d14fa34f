import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { createStore } from '../src/admin/stores';
import { type Deployment, startDeployment } from './rig/deployment';
import { residentMegabytes } from './rig/memory';
import { spread } from './rig/quantile';
import { type WorstBody, worstBodies } from './rig/worst-bodies';
import { toWholeNumber } from './rig/settings';
import { atRate } from './rig/pace';

/**
 * The cost of the largest and worst bodies for an API process and its other callers: `npx tsx bench/body-memory.ts
 * --clients 20 --seconds 60`. Exits with 1 if the process takes more than 600 MB, or if a well-behaved caller's p99
 * is over 250 ms.
 */
const MOST_MEGABYTES = 600;
const MOST_P99_MS = 250;
/** Well-behaved requests a second. */
const RATE = 20;
const QUIET_SECONDS = 10;

interface Options {
  readonly clients: number;
  readonly seconds: number;
  /** Names of the bodies to send begin with this. */
  readonly only: string;
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      clients: { type: 'string', default: '20' },
      seconds: { type: 'string', default: '60' },
      only: { type: 'string', default: '' },
    },
  });
  const options = {
    clients: toWholeNumber('--clients', values.clients, 1_000),
    seconds: toWholeNumber('--seconds', values.seconds, 3_600),
    only: values.only,
  };
  const deployment = await startDeployment();
  try {
    await run(deployment, options);
  } finally {
    await deployment.stop();
  }
}

async function run(deployment: Deployment, { clients, seconds, only }: Options): Promise<void> {
  const { store_id: storeId } = await createStore(deployment, {
    name: 'bench',
    country: 'MX',
    userId: deployment.userId,
  });
  const bodies = worstBodies(storeId).filter(({ name }) => name.startsWith(only));
  const rss = () => residentMegabytes(deployment.pids.api);
  const quiet = await callWell(deployment, QUIET_SECONDS);
  const before = rss();
  let largest = before;
  const sampling = setInterval(() => (largest = Math.max(largest, rss())), 50);
  const until = performance.now() + seconds * 1_000;
  const answers = new Map<string, number>();
  const hostile = Array.from({ length: clients }, (_, number) =>
    attack(deployment, bodies, number, until, answers),
  );
  const beside = await callWell(deployment, seconds);
  await Promise.all(hostile);
  clearInterval(sampling);

  for (const line of deployment.setting) process.stdout.write(`${line}\n`);
  process.stdout.write(`${clients} clients with bodies of 10 MB for ${seconds} s\n`);
  console.table([
    { 'well-behaved caller, ms': 'alone', ...spread(quiet) },
    { 'well-behaved caller, ms': 'beside them', ...spread(beside) },
  ]);
  console.table(
    [...answers]
      .toSorted(([a], [b]) => a.localeCompare(b))
      .map(([answer, count]) => ({ answer, count })),
  );
  process.stdout.write(
    `API process: ${before.toFixed(0)} MB before, ${largest.toFixed(0)} MB at most\n`,
  );
  const p99 = Number(spread(beside).p99);
  if (largest > MOST_MEGABYTES || p99 > MOST_P99_MS) process.exitCode = 1;
}

/** Sends one body after the other, each client beginning with another one. */
async function attack(
  { api, token }: Deployment,
  bodies: readonly WorstBody[],
  client: number,
  until: number,
  answers: Map<string, number>,
): Promise<void> {
  for (let number = client; performance.now() < until; number += 1) {
    const body = bodies[number % bodies.length];
    if (!body) return;
    const status = await api
      .request({
        method: 'POST',
        path: '/api/v1/menus/upload',
        headers: {
          authorization: `Bearer ${token}`,
          'content-type': 'application/json',
          ...(body.encoding === 'gzip' ? { 'content-encoding': 'gzip' } : {}),
        },
        body: body.bytes,
      })
      .then(
        async (answer) => {
          await answer.body.dump();
          return String(answer.statusCode);
        },
        (error: unknown) => (error instanceof Error ? error.message : 'an error'),
      );
    const key = `${body.name}: ${status}`;
    answers.set(key, (answers.get(key) ?? 0) + 1);
    // Like a client that is told to come back in a second.
    if (status === '503') await sleep(1_000);
  }
}

/** The times of well-behaved requests, ms, sent at an even rate whatever becomes of those before. */
async function callWell({ api, token }: Deployment, seconds: number): Promise<number[]> {
  const times: number[] = [];
  const call = async (): Promise<void> => {
    const startedAt = performance.now();
    const answer = await api.request({
      method: 'GET',
      path: '/api/v1/menus/uploads?limit=1',
      headers: { authorization: `Bearer ${token}` },
    });
    await answer.body.dump();
    times.push(performance.now() - startedAt);
  };
  await atRate(RATE, seconds, call);
  return times;
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
  process.exitCode = 1;
});
