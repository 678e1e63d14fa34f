// Runs before `npm start` and `npm test`: on a fresh clone, or after the lockfile has changed, it installs the
// dependencies; otherwise it costs a few milliseconds. Plain JavaScript without dependencies, since
// there are none yet.
import { spawnSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');

/** The condition of `engines`, which npm itself only warns about: require() of an ES module is what is needed. */
function isSupported([major, minor]) {
  return (major === 20 && minor >= 19) || (major === 22 && minor >= 12) || major > 22;
}

/** When the file was written last, 0 when there is none. */
function writtenAt(path) {
  return statSync(join(root, path), { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

function fail(sentence) {
  console.error(sentence);
  process.exit(1);
}

if (!isSupported(process.versions.node.split('.').map(Number))) {
  fail(
    `This needs Node.js 26 or 24 (22.12+ and 20.19+ work too); this is ${process.versions.node}.`,
  );
}

// npm writes its copy of the lockfile last, so a broken-off installation does not have it.
if (writtenAt('package-lock.json') > writtenAt('node_modules/.package-lock.json')) {
  console.error('Installing dependencies (npm ci) …');
  const npm = process.env.npm_execpath;
  const [command, before] = npm ? [process.execPath, [npm]] : ['npm', []];
  // Including the development ones, whatever NODE_ENV says: the simulated delivery apps and the tests need them.
  const args = [...before, 'ci', '--include=dev', '--include=optional', '--no-audit', '--no-fund'];
  const { status } = spawnSync(command, args, { cwd: root, stdio: ['ignore', 2, 2] });
  if (status !== 0) fail('npm ci failed; its own words are above.');
}

// Loading the program takes seconds on a busy machine, in which it could not say anything itself.
if (process.env.npm_lifecycle_event === 'prestart') console.error('Starting …');
