import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { copyFile, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { cacheFolder } from '../../processes/cache-folder';
import { run, tryRun } from './run';

export interface Engine {
  /** For `docker`. */
  readonly env: Readonly<Record<string, string>>;
  /** Where a plugin of `docker` is found that is not of the system. */
  readonly plugins: string;
  /** Ends it if it was started here. */
  stop(): Promise<void>;
}

const STARTED_WITHIN_MS = 30_000;

/**
 * The engine that runs, or Debian's, started here and ended again; its images stay in the cache folder. Undefined where
 * there is none and none can be installed.
 */
export async function findEngine(work: string): Promise<Engine | undefined> {
  const config = process.env['DOCKER_CONFIG'] ?? join(work, 'docker');
  const plugins = join(config, 'cli-plugins');
  const env = { DOCKER_CONFIG: config, DOCKER_BUILDKIT: await buildKit() };
  if (await answers({})) return { env, plugins, stop: () => Promise.resolve() };
  if (process.getuid?.() !== 0 || !(await bringDaemon())) return undefined;
  const socket = `unix://${join(work, 'docker.sock')}`;
  const daemon = startDaemon(work, socket);
  const started = { ...env, DOCKER_HOST: socket };
  const giveUpAt = performance.now() + STARTED_WITHIN_MS;
  while (!(await answers(started))) {
    if (daemon.exitCode !== null || performance.now() > giveUpAt) return undefined;
    await sleep(200);
  }
  return {
    env: started,
    plugins,
    async stop() {
      const ended = once(daemon, 'exit');
      daemon.kill();
      await ended;
      // It leaves its network namespace mounted, which keeps the folder from being removed.
      await tryRun('umount', [join(work, 'exec', 'netns', 'default')]);
    },
  };
}

/** The cache of the plugin, which bookworm has not. */
const PLUGIN = join(cacheFolder(), 'containers', 'docker-compose');

/** Whether `docker compose` is there or could be brought by `fetchPlugin`, into the given file. */
export async function hasCompose(
  { env, plugins }: Engine,
  fetchPlugin: (to: string) => Promise<void>,
): Promise<boolean> {
  const isThere = async () =>
    (await tryRun('docker', ['compose', 'version'], { env })).status === 0;
  if (await isThere()) return true;
  await mkdir(plugins, { recursive: true });
  const place = join(plugins, 'docker-compose');
  await copyFile(PLUGIN, place).catch(async () => {
    await mkdir(join(PLUGIN, '..'), { recursive: true });
    await fetchPlugin(PLUGIN);
    await copyFile(PLUGIN, place);
  });
  return isThere();
}

async function answers(env: Readonly<Record<string, string>>): Promise<boolean> {
  return (await tryRun('docker', ['version'], { env, timeoutMs: 10_000 })).status === 0;
}

/** The builder of before where its successor is not installed. */
async function buildKit(): Promise<string> {
  return (await tryRun('docker', ['buildx', 'version'])).status === 0 ? '1' : '0';
}

async function isDaemonThere(): Promise<boolean> {
  return (await tryRun('dockerd', ['--version'])).status === 0;
}

async function bringDaemon(): Promise<boolean> {
  if (await isDaemonThere()) return true;
  if ((await tryRun('apt-get', ['--version'])).status !== 0) return false;
  await tryRun('apt-get', ['update', '-q']);
  const env = { DEBIAN_FRONTEND: 'noninteractive' };
  const wanted = ['install', '-y', '--no-install-recommends', 'docker.io', 'debootstrap'];
  return (await tryRun('apt-get', wanted, { env })).status === 0 && isDaemonThere();
}

function startDaemon(work: string, socket: string): ChildProcess {
  const log = openSync(join(work, 'dockerd.log'), 'a', 0o600);
  const places = {
    '--host': socket,
    '--data-root': join(cacheFolder(), 'containers', 'engine'),
    '--exec-root': join(work, 'exec'),
    '--pidfile': join(work, 'dockerd.pid'),
  };
  const daemon = spawn('dockerd', Object.entries(places).flat(), { stdio: ['ignore', log, log] });
  daemon.on('error', () => {});
  closeSync(log);
  return daemon;
}

/** Pulls an image; its digest, or undefined where no registry answers. */
export async function pull({ env }: Engine, image: string): Promise<string | undefined> {
  const { status } = await tryRun('docker', ['pull', '--quiet', image], {
    env,
    timeoutMs: 300_000,
  });
  if (status !== 0) return undefined;
  const format = '{{index .RepoDigests 0}}';
  return (await run('docker', ['image', 'inspect', '--format', format, image], { env })).split(
    '@',
  )[1];
}
