import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const SCRIPT = join(__dirname, '../../dev/start/install-if-missing.mjs');

let clone: string;

beforeEach(() => {
  clone = mkdtempSync(join(tmpdir(), 'clone-'));
  mkdirSync(join(clone, 'dev/start'), { recursive: true });
  copyFileSync(SCRIPT, join(clone, 'dev/start/install-if-missing.mjs'));
  writeFileSync(join(clone, 'package-lock.json'), '{}');
});
afterEach(() => rmSync(clone, { recursive: true }));

/** Runs it with a program in npm's place that writes down its arguments and ends with `exitCode`. */
function run(exitCode = 0): { status: number | null; output: string } {
  const npm = join(clone, 'npm.js');
  const writeArguments = `require('fs').writeFileSync(${JSON.stringify(join(clone, 'arguments'))}, process.argv.slice(2).join(' '))`;
  writeFileSync(npm, `${writeArguments}; process.exit(${exitCode})`);
  // So that no Temporal is prepared beside it.
  const env = { ...process.env, npm_execpath: npm, TEMPORAL_ADDRESS: '127.0.0.1:1' };
  const ran = spawnSync(process.execPath, [join(clone, 'dev/start/install-if-missing.mjs')], {
    encoding: 'utf8',
    env,
  });
  return { status: ran.status, output: ran.stdout + ran.stderr };
}

function markInstalled(at: Date): void {
  const marker = join(clone, 'node_modules/.package-lock.json');
  mkdirSync(join(clone, 'node_modules'));
  writeFileSync(marker, '{}');
  utimesSync(marker, at, at);
}

test('a fresh clone gets everything in the lockfile, development packages included', async () => {
  expect(run()).toEqual({ status: 0, output: 'Installing dependencies (npm ci) …\n' });
  const args = await readFile(join(clone, 'arguments'), 'utf8');
  expect(args).toBe('ci --include=dev --include=optional --no-audit --no-fund');
});

test('an unpacked tarball, which has no lockfile, is installed too', async () => {
  rmSync(join(clone, 'package-lock.json'));
  writeFileSync(join(clone, 'package.json'), '{}');
  expect(run()).toEqual({ status: 0, output: 'Installing dependencies (npm install) …\n' });
  const args = await readFile(join(clone, 'arguments'), 'utf8');
  expect(args).toBe('install --include=dev --include=optional --no-audit --no-fund');
  markInstalled(new Date(Date.now() + 1_000));
  expect(run().output).toBe('');
});

test('a complete installation is neither repeated nor mentioned', () => {
  markInstalled(new Date(Date.now() + 1_000));
  expect(run()).toEqual({ status: 0, output: '' });
  expect(existsSync(join(clone, 'arguments'))).toBe(false);
});

test('a lockfile newer than the installation is installed', () => {
  markInstalled(new Date(Date.now() - 60_000));
  run();
  expect(existsSync(join(clone, 'arguments'))).toBe(true);
});

test('the server that must be built with Go begins beside it, and is not built on afterwards', async () => {
  const bin = join(clone, 'bin');
  const said = join(clone, 'go-said');
  mkdirSync(bin);
  mkdirSync(join(clone, 'dev/temporal/cli'), { recursive: true });
  // No name leads anywhere, and no Temporal is on PATH.
  writeFileSync(
    join(clone, 'no-network.cjs'),
    "globalThis.fetch = async () => { throw new Error('away'); };",
  );
  const go = `#!/bin/sh\necho "$@" >> ${said}\ncase $1 in build) exec sleep 60;; esac\n`;
  writeFileSync(join(bin, 'go'), go, { mode: 0o755 });
  const npm = join(clone, 'npm.js');
  writeFileSync(npm, 'setTimeout(() => {}, 500)');
  const startedAt = Date.now();
  const { status } = spawnSync(
    process.execPath,
    ['--require', join(clone, 'no-network.cjs'), join(clone, 'dev/start/install-if-missing.mjs')],
    { env: { PATH: `${bin}:/bin:/usr/bin`, npm_execpath: npm, XDG_CACHE_HOME: clone } },
  );
  expect(status).toBe(0);
  expect(Date.now() - startedAt).toBeLessThan(30_000);
  expect(await readFile(said, 'utf8')).toMatch(/^version\nbuild .*cmd\/temporal\n$/);
});

test('an installation that fails stops the command behind it', () => {
  expect(run(1)).toMatchObject({ status: 1, output: expect.stringContaining('npm ci failed') });
});

test.each(['18.20.4', '20.18.3', '21.7.3', '22.11.0'])(
  'Node.js %s is refused, with what to take instead first',
  (version) => {
    const script = JSON.stringify(join(clone, 'dev/start/install-if-missing.mjs'));
    const pretend = `Object.defineProperty(process.versions, 'node', { value: '${version}' })`;
    const { status, stderr } = spawnSync(
      process.execPath,
      ['-e', `${pretend}; import(${script})`],
      { encoding: 'utf8' },
    );
    expect([status, stderr]).toEqual([
      1,
      `This needs Node.js 26 or 24 (22.12+ and 20.19+ work too); this is ${version}.\n`,
    ]);
  },
);
