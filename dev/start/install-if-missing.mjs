// Runs before `npm start` and `npm test`: on a fresh clone, or after the lockfile has changed, it installs the
// dependencies; otherwise it costs a few milliseconds. Plain JavaScript without dependencies, since
// there are none yet.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { devNull, homedir } from 'node:os';
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

// npm writes its copy of the lockfile last, so a broken-off installation does not have it. A packed tarball has no
// lockfile: the versions in package.json are exact.
const isLocked = writtenAt('package-lock.json') > 0;
const wanted = writtenAt(isLocked ? 'package-lock.json' : 'package.json');
if (wanted > writtenAt('node_modules/.package-lock.json')) {
  const verb = isLocked ? 'ci' : 'install';
  console.error(`Installing dependencies (npm ${verb}) …`);
  const npm = process.env.npm_execpath;
  const [command, before] = npm ? [process.execPath, [npm]] : ['npm', []];
  // Including the development ones, whatever NODE_ENV says: the simulated delivery apps and the tests need them.
  const args = [...before, verb, '--include=dev', '--include=optional', '--no-audit', '--no-fund'];
  const stopWarming = warmTemporalBuild();
  const status = await new Promise((resolve) => {
    const install = spawn(command, args, { cwd: root, stdio: ['ignore', 2, 2] });
    install.once('error', () => resolve(null));
    install.once('exit', resolve);
  });
  stopWarming();
  if (status !== 0) fail(`npm ${verb} failed; its own words are above.`);
}

/** Whether there is a program of this name. */
function answers(name, args) {
  return spawnSync(name, args, { stdio: 'ignore' }).status === 0;
}

/**
 * Where Temporal's server will have to be built with Go (dev/temporal/temporal-binary.ts), which takes minutes, that
 * begins beside the installation: Go keeps what it has compiled, and the build goes on from there. Calling the result
 * ends it.
 */
function warmTemporalBuild() {
  const { env } = process;
  const isThere =
    env.TEMPORAL_ADDRESS || env.TEMPORAL_CLI_PATH || answers('temporal', ['--version']);
  const cache = join(env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'pos-integrations');
  const wasMade =
    existsSync(cache) && readdirSync(cache).some((name) => name.startsWith('temporal-cli'));
  if (isThere || wasMade || !answers('go', ['version'])) return () => {};
  const stopping = new AbortController();
  const build = () => {
    if (stopping.signal.aborted) return;
    const args = ['build', '-mod=readonly', '-trimpath', '-ldflags', '-s -w', '-o', devNull];
    const building = spawn('go', [...args, 'github.com/temporalio/cli/cmd/temporal'], {
      cwd: join(root, 'dev', 'temporal', 'cli'),
      env: { ...env, CGO_ENABLED: '0', GOFLAGS: '', GOWORK: 'off' },
      stdio: 'ignore',
      signal: stopping.signal,
    });
    building.once('error', () => {});
  };
  // Where this answers, the server is downloaded instead.
  const timer = setTimeout(() => asking.abort(), 4_000);
  const asking = new AbortController();
  fetch('https://temporal.download', { method: 'HEAD', signal: asking.signal })
    .catch(build)
    .finally(() => clearTimeout(timer));
  return () => {
    stopping.abort();
    asking.abort();
  };
}

// Loading the program takes seconds on a busy machine, in which it could not say anything itself.
if (process.env.npm_lifecycle_event === 'prestart') console.error('Starting …');
