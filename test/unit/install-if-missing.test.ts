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
  const env = { ...process.env, npm_execpath: npm };
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
