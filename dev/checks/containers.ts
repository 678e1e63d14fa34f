import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import {
  addresses,
  connections,
  expect,
  halfway,
  hardened,
  kill,
  namedVolumes,
  replicas,
  restore,
  SERVICES,
  stopped,
  type Tried,
  up,
} from './containers/attempts';
import { makeCaller } from './containers/caller';
import {
  type Deployment,
  type ImageOf,
  makeDeployment,
  pinnedImages,
  THIS_RELEASE,
} from './containers/deployment';
import { type Engine, findEngine, hasCompose, pull } from './containers/engine';
import { startNeighbours } from './containers/neighbours';
import { findOldestRelease, OLDEST, upgradeFromOldest } from './containers/oldest-release';
import { FAULTS } from './containers/put-back';
import { fetchComposePlugin, makeStandIn, standInOf } from './containers/stand-ins';
import { upgrade } from './containers/upgrade';

/**
 * `npm run containers`: starts docker-compose.yml in containers, of a clone made under umask 077, and tries what
 * docs/deployment.md says of it. With the real images where a registry answers, otherwise with images that stand in for
 * them (`--stand-ins`: without asking a registry). Prints a line for each thing tried, with its seconds; exits with 1 when
 * something does not hold, and with 77 where there is no engine and none can be installed. Leaves nothing but images.
 * `--with-fault scale`, `umask` or `proxy` puts back a fault that the file once had; it must fail, and ends then.
 */
const NOT_RUN = 77;
/** All in all; what hangs then is ended. */
const MOST_MS = 60 * 60_000;

const failed: string[] = [];
let endsAtFailure = false;
const startedAt = performance.now();

function say(text: string): void {
  process.stdout.write(
    `${((performance.now() - startedAt) / 1000).toFixed(0).padStart(5)} s  ${text}\n`,
  );
}

/** Does one thing and says whether it held, and how long it took; goes on after a failure. */
async function attempt(what: string, work: () => Promise<string | void>): Promise<boolean> {
  const from = performance.now();
  const took = () => `${((performance.now() - from) / 1000).toFixed(1)} s`;
  try {
    const found = await work();
    say(`ok   ${what} (${took()})${found ? `: ${found}` : ''}`);
    return true;
  } catch (error) {
    failed.push(what);
    say(`NOT  ${what} (${took()}): ${error instanceof Error ? error.message : String(error)}`);
    if (endsAtFailure) throw new Error('It ends here.', { cause: error });
    return false;
  }
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { 'stand-ins': { type: 'boolean' }, 'with-fault': { type: 'string' } },
  });
  const fault = values['with-fault'];
  const putBack = fault === undefined ? undefined : FAULTS[fault];
  if (fault !== undefined && !putBack) {
    process.stderr.write(`No such fault: ${fault}. There are: ${Object.keys(FAULTS).join(', ')}\n`);
    process.exitCode = 2;
    return;
  }
  endsAtFailure = putBack !== undefined;
  const work = await mkdtemp(join(tmpdir(), 'pos-integrations-containers-'));
  const cleanUp: (() => Promise<unknown>)[] = [() => rm(work, { recursive: true, force: true })];
  const end = async () => {
    for (const undo of cleanUp.toReversed()) await undo().catch(() => {});
  };
  const interrupted = (why: string) => {
    say(why);
    end()
      .then(() => process.exit(1))
      .catch(() => {});
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => interrupted(signal));
  setTimeout(() => interrupted('took too long'), MOST_MS).unref();
  try {
    process.exitCode = await tryAll(work, cleanUp, values['stand-ins'] === true, putBack);
  } finally {
    await end();
  }
}

async function tryAll(
  work: string,
  cleanUp: (() => Promise<unknown>)[],
  wantsStandIns: boolean,
  putBack: ((deployment: Deployment) => Promise<void>) | undefined,
): Promise<number> {
  const engine = await findEngine(work);
  if (!engine) {
    say('NOT RUN: there is no container engine, and none can be installed here');
    return NOT_RUN;
  }
  cleanUp.push(() => engine.stop());
  const pinned = await pinnedImages();
  const imageOf = await prepareImages(engine, work, wantsStandIns, pinned);
  if (!imageOf || !(await hasCompose(engine, (to) => fetchComposePlugin(engine, to)))) {
    say('NOT RUN: there is no registry and no Debian to make images of, or no Compose v2');
    return NOT_RUN;
  }
  const deployment = await makeDeployment(engine, join(work, 'deployment'), imageOf);
  cleanUp.push(() => deployment.tryCompose('down', '--volumes', '--timeout', '5'));
  await putBack?.(deployment);
  if (
    !(await attempt('the image is built of a clone made under umask 077', () =>
      build(deployment, imageOf),
    ))
  )
    return 1;
  if (!(await attempt('first start', () => up(deployment)))) {
    process.stdout.write(
      (await deployment.tryCompose('logs', '--no-color', '--tail', '30')).output,
    );
    return 1;
  }
  const neighbours = await startNeighbours(engine);
  cleanUp.push(() => neighbours.close());
  const caller = await makeCaller(deployment, neighbours);
  await tryDeployment({ deployment, neighbours, caller });
  await deployment.compose('down', '--volumes', '--timeout', '5');
  const oldest = await findOldestRelease();
  if (oldest) {
    await attempt(`an upgrade from ${OLDEST}, the oldest that is promised`, async () => {
      const from = await makeDeployment(engine, join(work, 'oldest'), imageOf, oldest);
      cleanUp.push(() => from.tryCompose('down', '--volumes', '--timeout', '5'));
      if (imageOf === standInOf) await makeStandIns(engine, work, await pinnedImages(from.folder));
      return upgradeFromOldest(from, neighbours);
    });
  } else say(`NOT RUN: an upgrade from ${OLDEST}, which the history of this clone does not reach`);
  say(
    failed.length === 0 ? 'all of it holds' : `${failed.length} did not hold: ${failed.join('; ')}`,
  );
  return failed.length === 0 ? 0 : 1;
}

async function tryDeployment(tried: Tried): Promise<void> {
  const { deployment, caller } = tried;
  await caller.register(1, 'one');
  await attempt('first upload', () => caller.upload());
  await attempt('first event', async () => {
    const status = await caller.sell(1, 'first');
    expect(status === 200, `the event was answered ${status}`);
  });
  await attempt('every container is hardened', () => hardened(deployment));
  await attempt('there are no volumes without a name', () => namedVolumes(deployment));
  await attempt('TLS, and the address of a caller', () => addresses(tried));
  await attempt('48 uploads at once, and the connections of Temporal', () => connections(tried));
  for (const name of SERVICES) {
    await attempt(`kill -9 of ${name}, and an upload after it`, async () => {
      await kill(deployment, name);
      await caller.upload();
    });
  }
  await attempt('two of each, from .env', () => replicas(tried));
  await attempt('an `up` that fails halfway leaves APIs and workers', () => halfway(tried));
  await attempt('an upgrade with rows in every state, and no gap', () => upgrade(tried));
  await attempt('backup and restore', () => restore(tried));
  await attempt('a worker that is stopped leaves its work to the other', async () => {
    const [first = ''] = await deployment.containers('worker');
    await deployment.docker('stop', first);
    await caller.upload();
  });
  await attempt('SIGTERM ends every API and worker well', () => stopped(deployment));
}

/** Real images where a registry answers; undefined where nothing can stand in for them. */
async function prepareImages(
  engine: Engine,
  work: string,
  wantsStandIns: boolean,
  images: readonly string[],
): Promise<ImageOf | undefined> {
  const [first = '', ...others] = images;
  const digest = wantsStandIns ? undefined : await pull(engine, first);
  if (digest !== undefined) {
    say(`${first} is ${digest}`);
    for (const image of others) say(`${image} is ${(await pull(engine, image)) ?? 'not there'}`);
    return (pinned) => pinned;
  }
  if (process.getuid?.() !== 0) return undefined;
  say(
    `${wantsStandIns ? '' : 'No registry answers. '}Images that stand in, without limits of time: some minutes once`,
  );
  return (await makeStandIns(engine, work, images)) ? standInOf : undefined;
}

async function makeStandIns(
  engine: Engine,
  work: string,
  images: readonly string[],
): Promise<boolean> {
  for (const image of images) {
    const made = await attempt(`stand-in for ${image}`, () => makeStandIn(engine, work, image));
    if (!made) return false;
  }
  return true;
}

async function build(deployment: Deployment, imageOf: ImageOf): Promise<string> {
  await deployment.compose('build', '--quiet');
  const size = async (image: string) =>
    Number(await deployment.docker('image', 'inspect', '--format', '{{.Size}}', image));
  const [base = ''] = await pinnedImages();
  const own = (await size(THIS_RELEASE.image)) - (await size(imageOf(base)));
  const megabytes = Math.round(own / 1e6);
  expect(megabytes <= 100, `the image is ${megabytes} MB above its base`);
  return `${megabytes} MB above its base`;
}

main().catch((error: unknown) => {
  process.stderr.write(
    `${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
  );
  process.exitCode = 1;
});
