import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { cacheFolder } from '../dev/processes/cache-folder';
import { findFreePort, requireFreePort } from '../dev/processes/free-port';
import { resetState } from '../dev/start/reset-state';
import { withinMs } from '../src/platform/within-ms';
import { stopOnSignals } from '../src/run/stop-on-signals';
import { buildForProduction } from './rig/production-build';

/**
 * `npm run runtimes [-- VERSION … | -- others]`: builds once, then, on each supported version of Node, which npm brings: the
 * built admin command, `npm start`, an upload, an event and the stop. `others` are the newest of each line but the one
 * that runs this. Prints a line for each; exits with 1 when one of them fails. About 15 seconds a version.
 */
const NEWEST = ['20.20.2', '22.23.3', '24.21.0', '26.10.0'];
const OLDEST = ['20.19.0', '22.12.0'];
const ROOT = join(__dirname, '..');
const PORTS = ['PORT', 'SANDBOX_PORT', 'TEMPORAL_PORT', 'TEMPORAL_UI_PORT'];
const TOKEN = 'runtimes-'.padEnd(40, 'x');

// For a slow and busy machine: nothing here is a claim about speed.
const FETCHED_WITHIN_MS = 300_000;
const READY_WITHIN_MS = 600_000;
const ANSWERED_WITHIN_MS = 180_000;
/** A second SIGINT ends `npm start` at once, and its servers with it. */
const STOP = [
  ['SIGINT', 120_000],
  ['SIGINT', 30_000],
  ['SIGKILL', 10_000],
] as const;

const run = promisify(execFile);
const interrupted = new AbortController();

async function main(): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), 'pos-integrations-runtimes-'));
  await chmod(directory, 0o755); // as root, Postgres runs as a user who must get in
  try {
    const built = await buildForProduction(directory);
    for (const version of versionsOf(process.argv.slice(2))) {
      if (interrupted.signal.aborted) return;
      const startedAt = performance.now();
      const outcome = await tryVersion(version, built, join(directory, version)).catch(
        (error: unknown) => {
          process.exitCode = 1;
          return `FAILED: ${error instanceof Error ? error.message : String(error)}`;
        },
      );
      const seconds = ((performance.now() - startedAt) / 1_000).toFixed(0);
      process.stdout.write(`Node ${version.padEnd(8)} ${outcome} (${seconds} s)\n`);
    }
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

const lineOf = (version: string) => version.split('.')[0];

function versionsOf(given: readonly string[]): readonly string[] {
  if (given.length === 0) return [...OLDEST, ...NEWEST];
  if (given[0] !== 'others') return given;
  return NEWEST.filter((version) => lineOf(version) !== lineOf(process.versions.node));
}

async function tryVersion(version: string, built: string, data: string): Promise<string> {
  const node = await bringNode(version);
  const env = { ...process.env, PATH: `${dirname(node)}${delimiter}${process.env['PATH']}` };
  const { stdout } = await run(node, [join(built, 'bin/admin.js'), '--help'], { env });
  if (!stdout.includes('integration')) throw new Error(`the built admin says: ${stdout}`);
  try {
    await tryStart(node, data, env);
  } finally {
    // Ends servers that a start which had to be killed has left.
    await resetState(data);
  }
  return 'built admin, start, upload, event, stop: ok';
}

/** The program of this version, from npm's package for this platform; kept for the next time. */
async function bringNode(version: string): Promise<string> {
  const folder = join(cacheFolder(), 'runtimes', version);
  const name = `node-${process.platform}-${process.arch}`;
  const node = join(folder, 'node_modules', name, 'bin', 'node');
  if (existsSync(node)) return node;
  await mkdir(folder, { recursive: true });
  const options = ['--no-save', '--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error'];
  await run('npm', ['install', '--prefix', folder, ...options, `${name}@${version}`], {
    cwd: folder,
    timeout: FETCHED_WITHIN_MS,
    signal: interrupted.signal,
  }).catch((error: unknown) => {
    const words = String((error as { stderr?: string }).stderr || error).trim();
    throw new Error(`npm could not fetch the package ${name}@${version}:\n${words}`);
  });
  return node;
}

/** Runs the program of `npm start` on ports and data of its own, uses it, and stops it. */
async function tryStart(node: string, data: string, env: NodeJS.ProcessEnv): Promise<void> {
  const ports: Record<string, string> = {};
  for (const name of PORTS) ports[name] = String(await findFreePort());
  const child = spawn(node, ['--import', 'tsx', 'dev/start/start.ts'], {
    cwd: ROOT,
    env: {
      ...env,
      ...ports,
      // Its own servers, whatever the caller's environment names.
      DATABASE_URL: '',
      TEMPORAL_ADDRESS: '',
      METRICS_PORT: '0',
      DATA_DIR: data,
      DEMO_TOKEN: TOKEN,
      UPLOAD_WAIT: '2m',
      ACK_WAIT: '1m',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => (said += text));
  }
  const fail = (what: string) => new Error(`${what}; npm start said last:\n${said.slice(-2_000)}`);
  const ended = new AbortController();
  child.once('exit', () => ended.abort(new Error('npm start ended by itself')));
  const over = AbortSignal.any([ended.signal, interrupted.signal]);
  try {
    await until(() => said.includes('/menus/upload'), over);
    await callApi(`http://127.0.0.1:${ports['PORT']}/api/v1`, over);
  } catch (error) {
    throw fail(String(over.aborted ? over.reason : error));
  } finally {
    await stop(child);
  }
  if (child.exitCode !== 0) throw fail(`the stop ended with ${child.exitCode ?? child.signalCode}`);
  for (const name of PORTS) await requireFreePort(Number(ports[name]), name);
}

async function stop(child: ChildProcess): Promise<void> {
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null;
  for (const [signal, patienceMs] of STOP) {
    if (hasEnded()) return;
    child.kill(signal);
    await Promise.race([once(child, 'exit'), sleep(patienceMs, undefined, { ref: false })]);
  }
}

async function until(isSo: () => boolean, over: AbortSignal): Promise<void> {
  const giveUpAt = performance.now() + READY_WITHIN_MS;
  while (!isSo()) {
    if (performance.now() > giveUpAt) throw new Error('npm start does not become ready');
    await sleep(100, undefined, { signal: over });
  }
}

/** Uploads the menu of the demo and reports a sale; both wait for the outcome. */
async function callApi(url: string, over: AbortSignal): Promise<void> {
  const menu = await readFile(join(ROOT, 'dev', 'demo', 'menu.json'), 'utf8');
  await expectWords(`${url}/menus/upload`, menu, 'Menu successfully uploaded.', over);
  const sale = {
    external_id: 'margherita',
    current_stock: '18',
    quantity: '2',
    movement_type: 2,
    date: '2026-01-31T19:45:00Z',
  };
  const stock = `${url}/pos/store/2/inventory/stock`;
  await expectWords(stock, JSON.stringify(sale), 'Stock update acknowledged.', over);
}

async function expectWords(
  url: string,
  body: string,
  words: string,
  over: AbortSignal,
): Promise<void> {
  const headers = { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' };
  await withinMs(
    ANSWERED_WITHIN_MS,
    async (signal) => {
      const answer = await fetch(url, { method: 'POST', headers, body, signal });
      const text = await answer.text();
      if (!text.includes(words)) throw new Error(`${url} answers ${answer.status} ${text}`);
    },
    over,
  );
}

const trying = main();
stopOnSignals({
  signals: ['SIGINT', 'SIGTERM', 'SIGHUP'],
  async stop() {
    interrupted.abort(new Error('interrupted'));
    await trying;
    process.exit(1);
  },
  onFailure: (error) => process.stderr.write(`${String(error)}\n`),
});
trying.catch((error: unknown) => {
  process.stderr.write(`${String(error)}\n`);
  process.exitCode = 1;
});
