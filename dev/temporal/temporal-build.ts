import { execFile, type ExecFileOptions } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { cacheFolder } from '../processes/cache-folder';
import { DirectoryInUseError, ownDirectory } from '../processes/directory-owner';
import { type OnProgress, whileWaiting } from '../processes/progress';

/**
 * A Go module that pins the CLI and everything below it. v1.8.2 (server 1.31) needs its `cliext` replaced by the
 * commit it was developed with, which `go install …@v1.8.2` refuses to do; v1.9.1 does not build from outside at all.
 */
const MODULE = join(__dirname, 'cli');
const PACKAGE = 'github.com/temporalio/cli/cmd/temporal';
/** The newest version that `go install` can build (server 1.29), for a Go that is too old for the module above. */
const FALLBACK = `${PACKAGE}@v1.5.1`;
const STRIP = ['-trimpath', '-ldflags', '-s -w'];

const run = promisify(execFile);

/** Where the build goes; another set of dependencies, another place. */
export async function builtTemporalPath(): Promise<string> {
  const hash = createHash('sha256').update(`${process.platform}-${process.arch}`);
  for (const name of ['go.mod', 'go.sum']) hash.update(await readFile(join(MODULE, name)));
  return join(cacheFolder(), `temporal-cli-${hash.digest('hex').slice(0, 12)}`, 'temporal');
}

/** Builds the CLI with Go and returns its path; a second process that wants the same waits for the first. */
export async function buildTemporal(onProgress: OnProgress): Promise<string> {
  if (!(await hasGo())) throw new Error('Go is not installed, so it cannot be built either');
  const path = await builtTemporalPath();
  const work = buildUnlessBuilt(path);
  await whileWaiting(
    'Building the Temporal server with Go, once, about 4 minutes',
    onProgress,
    work,
  );
  return path;
}

async function hasGo(): Promise<boolean> {
  return run('go', ['version']).then(
    () => true,
    () => false,
  );
}

async function buildUnlessBuilt(path: string): Promise<void> {
  const disown = await ownWhenFree(`${dirname(path)}.building`);
  try {
    if (!existsSync(path)) await build(path);
  } finally {
    await disown();
  }
}

async function ownWhenFree(directory: string): Promise<() => Promise<void>> {
  for (;;) {
    try {
      return await ownDirectory(directory);
    } catch (error) {
      if (!(error instanceof DirectoryInUseError)) throw error;
      await sleep(1_000);
    }
  }
}

/** Runs Go until it ends or this process does: after Ctrl-C nothing is built on. */
async function runWhileWeLive(args: readonly string[], options: ExecFileOptions): Promise<void> {
  const running = run('go', args, options);
  const end = () => void running.child.kill();
  process.once('exit', end);
  try {
    await running;
  } finally {
    process.removeListener('exit', end);
  }
}

/** Built in a separate folder and then renamed, so that an interrupted build never leaves half a program in place. */
async function build(path: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  const unfinished = await mkdtemp(`${path}-`);
  // The developer's own flags and workspace are about other projects.
  const env = { ...process.env, CGO_ENABLED: '0', GOFLAGS: '', GOWORK: 'off', GOBIN: unfinished };
  const made = join(unfinished, 'temporal');
  try {
    await runWhileWeLive(
      ['build', '-mod=readonly', '-buildvcs=false', ...STRIP, '-o', made, PACKAGE],
      { cwd: MODULE, env },
    ).catch(() => runWhileWeLive(['install', ...STRIP, FALLBACK], { cwd: unfinished, env }));
    await rename(made, path);
  } catch (error) {
    const words =
      error instanceof Error ? error.message.trim().split('\n').slice(-3).join(' ') : '';
    throw new Error(`the build with Go failed: ${words}`, { cause: error });
  } finally {
    await rm(unfinished, { recursive: true, force: true });
  }
}
