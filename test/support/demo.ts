import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findFreePort } from '../../dev/processes/free-port';

export const DEMO_TOKEN = 'a-token-of-the-demo';

/** What `npm start` runs, on ports and in a folder of the test's own. */
export interface Demo {
  readonly apiUrl: string;
  readonly sandboxUrl: string;
  /** The variables of programs beside it: where its state is, and its ports. */
  readonly env: Readonly<Record<string, string>>;
  /** Of all its servers. */
  readonly ports: readonly number[];
  /** Resolves when everything runs. */
  start(): Promise<void>;
  /** As Ctrl-C does; resolves with the exit code. */
  stop(): Promise<number | null>;
  /** `npm start`, with a terminal's Ctrl-C: every process of the group gets it, and launchers hand it on. */
  startByNpm(...args: string[]): Promise<void>;
  interruptGroup(): Promise<void>;
  /** SIGKILL; its servers live on until the next start. */
  kill(): Promise<void>;
  /** Stops all remaining processes and deletes its state. */
  remove(): Promise<void>;
}

const ROOT = join(__dirname, '..', '..');

export async function prepareDemo(): Promise<Demo> {
  const directory = await mkdtemp(join(tmpdir(), 'pos-integrations-demo-'));
  await chmod(directory, 0o755); // as root, Postgres runs as a user who must get in
  const [port, sandboxPort, temporalPort, uiPort] = [
    await findFreePort(),
    await findFreePort(),
    await findFreePort(),
    await findFreePort(),
  ];
  const own = {
    DATA_DIR: directory,
    PORT: String(port),
    SANDBOX_PORT: String(sandboxPort),
    TEMPORAL_PORT: String(temporalPort),
    TEMPORAL_UI_PORT: String(uiPort),
    DEMO_TOKEN,
  };
  const env = { ...process.env, ...own };
  const launch = () =>
    spawn(process.execPath, ['--import', 'tsx', join(ROOT, 'dev', 'start', 'start.ts')], {
      cwd: ROOT,
      env,
    });
  const launchByNpm = (args: readonly string[]) =>
    spawn('npm', ['start', '--', ...args], { cwd: ROOT, env, detached: true });
  let running: ReturnType<typeof launch> | undefined;
  let orphaned = false;

  async function end(signal: NodeJS.Signals): Promise<number | null> {
    const child = running;
    running = undefined;
    if (!child || child.exitCode !== null) return child?.exitCode ?? null;
    const exit = once(child, 'exit');
    child.kill(signal);
    const [code] = await exit;
    return code;
  }
  async function start(child = launch()): Promise<void> {
    running = child;
    orphaned = false;
    let said = '';
    await new Promise<void>((resolve, reject) => {
      child.stderr.on('data', (chunk) => (said += chunk));
      child.stdout.on('data', (chunk) => {
        said += chunk;
        if (said.includes('Ctrl-C stops everything')) resolve();
      });
      child.once('exit', (code) => reject(new Error(`ended with ${code}:\n${said}`)));
    });
  }
  return {
    apiUrl: `http://127.0.0.1:${port}`,
    sandboxUrl: `http://127.0.0.1:${sandboxPort}`,
    env: own,
    ports: [port, sandboxPort, temporalPort, uiPort],
    start: () => start(),
    startByNpm: (...args) => start(launchByNpm(args)),
    async interruptGroup() {
      const child = running;
      running = undefined;
      if (!child?.pid) throw new Error('nothing runs');
      const exit = once(child, 'exit');
      process.kill(-child.pid, 'SIGINT');
      process.kill(-child.pid, 'SIGINT');
      await exit;
    },
    stop: () => end('SIGINT'),
    async kill() {
      await end('SIGKILL');
      orphaned = true;
    },
    async remove() {
      if (orphaned) await start(); // it knows its servers
      await end('SIGINT');
      await rm(directory, { recursive: true, force: true });
    },
  };
}
