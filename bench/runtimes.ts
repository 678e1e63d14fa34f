import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { cacheFolder } from '../dev/processes/cache-folder';
import { findFreePort } from '../dev/processes/free-port';
import { buildForProduction } from './rig/production-build';

/**
 * `npm run runtimes [-- VERSION …]`: on each supported version of Node, brought by npm, the build, `npm start`, an upload,
 * an event and the stop. Prints a line for each; exits with 1 when one of them fails.
 */
const VERSIONS = ['20.19.0', '20.20.2', '22.12.0', '22.23.3', '24.21.0', '26.10.0'];
const ROOT = join(__dirname, '..');
const READY_WITHIN_MS = 180_000;
const TOKEN = 'runtimes-'.padEnd(40, 'x');

const run = promisify(execFile);

async function main(): Promise<void> {
  const [first, directory] = process.argv.slice(2);
  // The same program, run by the version that is tried.
  if (first === '--build') return void (await buildForProduction(directory ?? ''));
  const versions = process.argv.length > 2 ? process.argv.slice(2) : VERSIONS;
  for (const version of versions) {
    const startedAt = performance.now();
    const outcome = await tryVersion(version).catch((error: unknown) => {
      process.exitCode = 1;
      return `FAILED: ${error instanceof Error ? error.message : String(error)}`;
    });
    const seconds = ((performance.now() - startedAt) / 1_000).toFixed(0);
    process.stdout.write(`Node ${version.padEnd(8)} ${outcome} (${seconds} s)\n`);
  }
}

async function tryVersion(version: string): Promise<string> {
  const node = await bringNode(version);
  const directory = await mkdtemp(join(tmpdir(), 'pos-integrations-runtimes-'));
  const env = { ...process.env, PATH: `${dirname(node)}${delimiter}${process.env['PATH']}` };
  try {
    const built = join(directory, 'built');
    await mkdir(built);
    await run(node, ['--import', 'tsx', __filename, '--build', built], { cwd: ROOT, env });
    const { stdout } = await run(node, [join(built, 'dist/src/bin/admin.js'), '--help'], { env });
    if (!stdout.includes('integration')) throw new Error(`the built admin says: ${stdout}`);
    const steps = await tryStart(node, join(directory, 'data'), env);
    return `build, ${steps.join(', ')}: ok`;
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

/** The program of this version, from npm's package for this platform. */
async function bringNode(version: string): Promise<string> {
  const system = process.platform === 'win32' ? 'win' : process.platform;
  const folder = join(cacheFolder(), 'runtimes', version);
  const name = `node-${system}-${process.arch}`;
  const node = join(folder, 'node_modules', name, 'bin', 'node');
  if (existsSync(node)) return node;
  await mkdir(folder, { recursive: true });
  const options = ['--prefix', folder, '--no-save', '--no-audit', '--no-fund', '--ignore-scripts'];
  await run('npm', ['install', ...options, `${name}@${version}`], { cwd: folder });
  return node;
}

async function tryStart(node: string, data: string, env: NodeJS.ProcessEnv): Promise<string[]> {
  const [PORT, SANDBOX_PORT, TEMPORAL_PORT, TEMPORAL_UI_PORT] = await Promise.all(
    Array.from({ length: 4 }, async () => String(await findFreePort())),
  );
  const ports = { PORT, SANDBOX_PORT, TEMPORAL_PORT, TEMPORAL_UI_PORT };
  const child = spawn(node, ['--import', 'tsx', 'dev/start/start.ts'], {
    cwd: ROOT,
    env: { ...env, ...ports, DATA_DIR: data, DEMO_TOKEN: TOKEN },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = once(child, 'exit') as Promise<[number | null, string | null]>;
  let said = '';
  for (const stream of [child.stdout, child.stderr]) {
    createInterface({ input: stream }).on('line', (line) => (said += `${line}\n`));
  }
  try {
    await Promise.race([
      until(() => said.includes('/menus/upload')),
      ended.then(() => Promise.reject(new Error(`npm start ended:\n${said.slice(-1_000)}`))),
    ]);
    const url = `http://127.0.0.1:${PORT}/api/v1`;
    const menu = await readFile(join(ROOT, 'dev', 'demo', 'menu.json'), 'utf8');
    await expectWords(`${url}/menus/upload`, menu, 'Menu successfully uploaded.');
    const sale = JSON.stringify({
      external_id: 'margherita',
      current_stock: '18',
      quantity: '2',
      movement_type: 2,
      date: '2026-01-31T19:45:00Z',
    });
    const stock = `${url}/pos/store/2/inventory/stock`;
    await expectWords(stock, sale, 'Stock update acknowledged.');
  } finally {
    child.kill('SIGINT');
  }
  const [code, signal] = await ended;
  if (code !== 0) throw new Error(`npm start ended with ${code ?? signal}:\n${said.slice(-1_000)}`);
  return ['start', 'upload', 'event', 'stop'];
}

async function until(isSo: () => boolean): Promise<void> {
  const giveUpAt = performance.now() + READY_WITHIN_MS;
  while (!isSo()) {
    if (performance.now() > giveUpAt) throw new Error('npm start does not become ready');
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

async function expectWords(url: string, body: string, words: string): Promise<void> {
  const headers = { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' };
  const answer = await fetch(url, { method: 'POST', headers, body });
  const text = await answer.text();
  if (!text.includes(words)) throw new Error(`${url} answers ${answer.status} ${text}`);
}

void main();
