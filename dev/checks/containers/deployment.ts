import { randomBytes } from 'node:crypto';
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { readComposeFile } from '../../../bench/rig/compose-file';
import { findFreePort } from '../../processes/free-port';
import type { Engine } from './engine';
import { type Ran, run, type RunOptions, tryRun } from './run';

const REPOSITORY = join(__dirname, '..', '..', '..');
const PROJECT = 'pos-integrations-tried';
/** Its image; not the name that a deployment of this machine may have. */
const IMAGE = `${PROJECT}:now`;
/** Not the network that a deployment of this machine may have. */
const NETWORK = '172.30.41';

/** docker-compose.yml with what belongs to it, in a folder of its own as `git clone` makes it under umask 077. */
export interface Deployment {
  readonly folder: string;
  readonly image: string;
  /** This machine, as a container sees it. */
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
  readonly docker: (...args: readonly string[]) => Promise<string>;
  /** Of the containers of a service that run. */
  readonly containers: (service: string) => Promise<readonly string[]>;
  /** Puts a line into `.env`, in place of the one with that name. */
  readonly set: (name: string, value: string) => Promise<void>;
  readonly edit: (file: string, change: (text: string) => string) => Promise<void>;
}

const PORTS = [
  'API_PORT',
  'PROXY_HTTPS_PORT',
  'PROXY_HTTP_PORT',
  'TEMPORAL_UI_PORT',
  'PROMETHEUS_PORT',
] as const;
type PortName = (typeof PORTS)[number];

/** Every image that a deployment needs besides its own: that of each service, and Node's. */
export async function pinnedImages(): Promise<readonly string[]> {
  const dockerfile = await readFile(join(REPOSITORY, 'Dockerfile'), 'utf8');
  const node = /^ARG NODE_IMAGE=(\S+)$/m.exec(dockerfile)?.[1] ?? '';
  const others = foreignServices().map(([, image]) => image);
  return [...new Set([node, ...others])];
}

const anySecrets = {
  POSTGRES_PASSWORD: 'x',
  DATABASE_PASSWORD: 'x',
  TEMPORAL_DATABASE_PASSWORD: 'x',
  ENCRYPTION_KEY: 'x',
};

function services(): [name: string, image: string][] {
  const { services: all } = readComposeFile(anySecrets);
  return Object.entries(all).map(([name, { image }]) => [name, image]);
}

const isOurs = (image: string) => image.startsWith('pos-integrations:');
const foreignServices = () => services().filter(([, image]) => !isOurs(image));

/** `imageOf` says which image is taken for a pinned one. */
export async function makeDeployment(
  { env }: Engine,
  folder: string,
  imageOf: (pinned: string) => string,
): Promise<Deployment> {
  await copyRepository(folder);
  const ports = {} as Record<PortName, number>;
  for (const name of PORTS) ports[name] = await findFreePort();
  const gateway = `${NETWORK}.1`;
  const settings = new Map<string, string>([
    ['POSTGRES_PASSWORD', randomBytes(24).toString('hex')],
    ['DATABASE_PASSWORD', randomBytes(24).toString('hex')],
    ['TEMPORAL_DATABASE_PASSWORD', randomBytes(24).toString('hex')],
    ['ENCRYPTION_KEY', randomBytes(32).toString('base64')],
    ['NETWORK', NETWORK],
    ['OUTBOUND_ALLOW_CIDRS', `${gateway}/32`],
    ['WEBHOOK_ALLOW_HTTP', 'true'],
    ...PORTS.map((name) => [name, String(ports[name])] as const),
  ]);
  const writeEnv = () =>
    writeFile(
      join(folder, '.env'),
      [...settings].map(([name, value]) => `${name}=${value}\n`).join(''),
      { mode: 0o600 },
    );
  await writeEnv();
  const [node = ''] = await pinnedImages();
  const ours = { image: IMAGE, build: { args: { NODE_IMAGE: imageOf(node) } } };
  const overrides = services().map(([name, image]) => [
    name,
    isOurs(image) ? ours : { image: imageOf(image) },
  ]);
  await writeFile(
    join(folder, 'docker-compose.override.yml'),
    JSON.stringify({ services: Object.fromEntries(overrides) }),
  );
  const options = { cwd: folder, env: { ...env, COMPOSE_PROJECT_NAME: PROJECT } };
  const compose = (...args: readonly string[]) => run('docker', ['compose', ...args], options);
  return {
    folder,
    image: IMAGE,
    gateway,
    ports,
    compose,
    tryCompose: (...args) => tryRun('docker', ['compose', ...args], options),
    shell: (program, args, more) => run(program, args, { ...options, ...more }),
    docker: (...args) => run('docker', args, options),
    async containers(service) {
      return (await compose('ps', '--quiet', service)).split('\n').filter(Boolean);
    },
    async set(name, value) {
      settings.set(name, value);
      await writeEnv();
    },
    async edit(file, change) {
      const path = join(folder, file);
      const text = await readFile(path, 'utf8');
      const changed = change(text);
      if (changed === text) throw new Error(`${file} is as before`);
      await writeFile(path, changed);
    },
  };
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
