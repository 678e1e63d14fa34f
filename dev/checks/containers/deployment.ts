import { randomBytes } from 'node:crypto';
import { chmod, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { readComposeFile } from '../../../bench/rig/compose-file';
import { findFreePort } from '../../processes/free-port';
import type { Engine } from './engine';
import { NEIGHBOURS_ADDRESS } from './neighbours';
import { type Ran, run, type RunOptions, tryRun } from './run';

export const REPOSITORY = join(__dirname, '..', '..', '..');
export const PROJECT = 'pos-integrations-tried';
/** Not the network that a deployment of this machine may have. */
const NETWORK = '172.30.41';

/** Which image is taken for a pinned one. */
export type ImageOf = (pinned: string) => string;

/** What a deployment is made of. */
export interface Release {
  /** Its image; not the name that a deployment of this machine may have. */
  readonly image: string;
  /** Puts its files into an empty folder. */
  readonly copyTo: (folder: string) => Promise<void>;
}

/** That of this tree, in a folder as `git clone` makes it under umask 077. */
export const THIS_RELEASE: Release = { image: `${PROJECT}:now`, copyTo: copyRepository };

/** docker-compose.yml with what belongs to it, in a folder of its own. */
export interface Deployment {
  readonly folder: string;
  /** This machine, as the containers of this release see it. */
  readonly gateway: string;
  readonly ports: Readonly<Record<PortName, number>>;
  /** Runs `docker compose`; rejects with its last words unless it ends well. */
  readonly compose: (...args: readonly string[]) => Promise<string>;
  readonly tryCompose: (...args: readonly string[]) => Promise<Ran>;
  /** Runs a program beside docker-compose.yml, as an operator does. */
  readonly shell: (
    program: string,
    args: readonly string[],
    options?: RunOptions,
  ) => Promise<string>;
  readonly tryShell: (program: string, args: readonly string[]) => Promise<Ran>;
  readonly docker: (...args: readonly string[]) => Promise<string>;
  /** Of the containers of a service that run. */
  readonly containers: (service: string) => Promise<readonly string[]>;
  /** Puts a line into `.env`, in place of the one with that name. */
  readonly set: (name: string, value: string) => Promise<void>;
  readonly edit: (file: string, change: (text: string) => string) => Promise<void>;
  /** Goes to another release, as `git checkout` does. */
  readonly checkOut: (release: Release) => Promise<void>;
}

const PORTS = [
  'API_PORT',
  'PROXY_HTTPS_PORT',
  'PROXY_HTTP_PORT',
  'TEMPORAL_UI_PORT',
  'PROMETHEUS_PORT',
] as const;
type PortName = (typeof PORTS)[number];

const anySecrets = {
  POSTGRES_PASSWORD: 'x',
  DATABASE_PASSWORD: 'x',
  TEMPORAL_DATABASE_PASSWORD: 'x',
  ENCRYPTION_KEY: 'x',
};

function servicesIn(folder: string): [name: string, image: string][] {
  const { services } = readComposeFile(anySecrets, join(folder, 'docker-compose.yml'));
  return Object.entries(services).map(([name, { image }]) => [name, image]);
}

const isOurs = (image: string) => image.startsWith('pos-integrations:');

/** Node's, on which ours is built. */
async function nodeImageIn(folder: string): Promise<string> {
  const dockerfile = await readFile(join(folder, 'Dockerfile'), 'utf8');
  return /^ARG NODE_IMAGE=(\S+)$/m.exec(dockerfile)?.[1] ?? '';
}

/** Every image that a release needs besides its own: Node's, which is the first, and that of each service. */
export async function pinnedImages(folder = REPOSITORY): Promise<readonly string[]> {
  const others = servicesIn(folder).flatMap(([, image]) => (isOurs(image) ? [] : [image]));
  return [...new Set([await nodeImageIn(folder), ...others])];
}

/** Makes the folder of a deployment, with nothing started in it. */
export async function makeDeployment(
  { env }: Engine,
  folder: string,
  imageOf: ImageOf,
  release = THIS_RELEASE,
): Promise<Deployment> {
  const ports = {} as Record<PortName, number>;
  for (const name of PORTS) ports[name] = await findFreePort();
  const gateway = `${NETWORK}.1`;
  const settings = new Map<string, string>([
    ['POSTGRES_PASSWORD', randomBytes(24).toString('hex')],
    ['DATABASE_PASSWORD', randomBytes(24).toString('hex')],
    ['TEMPORAL_DATABASE_PASSWORD', randomBytes(24).toString('hex')],
    ['ENCRYPTION_KEY', randomBytes(32).toString('base64')],
    ['NETWORK', NETWORK],
    ['OUTBOUND_ALLOW_CIDRS', `${NEIGHBOURS_ADDRESS}/32`],
    ['WEBHOOK_ALLOW_HTTP', 'true'],
    // A delivery that waits is tried again within a minute, however long an upgrade took.
    ['WEBHOOK_RETRY_SCHEDULE', Array(20).fill('1m').join(',')],
    ...PORTS.map((name) => [name, String(ports[name])] as const),
  ]);
  const writeEnv = () =>
    writeFile(
      join(folder, '.env'),
      [...settings].map(([name, value]) => `${name}=${value}\n`).join(''),
      { mode: 0o600 },
    );
  const checkOut = async ({ image, copyTo }: Release) => {
    await rm(folder, { recursive: true, force: true });
    await mkdir(folder, { mode: 0o700 });
    await copyTo(folder);
    await writeEnv();
    const build = { args: { NODE_IMAGE: imageOf(await nodeImageIn(folder)) } };
    const overrides = servicesIn(folder).map(([name, pinned]) => [
      name,
      isOurs(pinned) ? { image, build } : { image: imageOf(pinned) },
    ]);
    await writeFile(
      join(folder, 'docker-compose.override.yml'),
      JSON.stringify({ services: Object.fromEntries(overrides) }),
    );
  };
  await checkOut(release);
  const options = { cwd: folder, env: { ...env, COMPOSE_PROJECT_NAME: PROJECT } };
  const compose = (...args: readonly string[]) => run('docker', ['compose', ...args], options);
  return {
    folder,
    gateway,
    ports,
    compose,
    tryCompose: (...args) => tryRun('docker', ['compose', ...args], options),
    shell: (program, args, more) => run(program, args, { ...options, ...more }),
    tryShell: (program, args) => tryRun(program, args, options),
    docker: (...args) => run('docker', args, options),
    async containers(service) {
      return (await compose('ps', '--quiet', service)).split('\n').filter(Boolean);
    },
    async set(name, value) {
      settings.set(name, value);
      await writeEnv();
    },
    edit: (file, change) => edit(join(folder, file), change),
    checkOut,
  };
}

/** Changes a file; rejects if it is as before. */
export async function edit(path: string, change: (text: string) => string): Promise<void> {
  const text = await readFile(path, 'utf8');
  const changed = change(text);
  if (changed === text) throw new Error(`${path} is as before`);
  await writeFile(path, changed);
}

/** What git knows or would add, readable to nobody but its owner. */
async function copyRepository(folder: string): Promise<void> {
  const listed = await run('git', ['ls-files', '-z', '-co', '--exclude-standard'], {
    cwd: REPOSITORY,
  });
  for (const name of listed.split('\0').filter(Boolean)) {
    const content = await readFile(join(REPOSITORY, name)).catch(() => undefined);
    if (!content) continue; // it was removed, and that is not committed yet
    const place = join(folder, name);
    await mkdir(dirname(place), { recursive: true, mode: 0o700 });
    await writeFile(place, content, { mode: 0o600 });
  }
  await chmod(folder, 0o700);
}
