import { spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Connection } from '@temporalio/client';
import { SEARCH_ATTRIBUTES } from '../../src/platform/temporal/workflow-names';
import { ownDirectory } from '../processes/directory-owner';
import { requireFreePort } from '../processes/free-port';
import { endProcess, identifyProcess, type StopStep } from '../processes/process-identity';
import { type OnProgress, whileWaiting } from '../processes/progress';
import { type ServerProcess, startServerProcess } from '../processes/server-process';
import { type DevServerSetting, devServerArgs } from './temporal-flags';

export interface TemporalOptions {
  /** From `findTemporalBinary`. */
  readonly binary: string;
  /** Keeps the state in `temporal.db` between starts; null for in memory. */
  readonly directory: string | null;
  readonly port: number;
  /** Null for no web interface. */
  readonly uiPort: number | null;
  /** Made beside `default`, with the same search attributes: what runs in one sees nothing of the others. */
  readonly namespaces?: readonly string[];
  /** Dynamic config over ours, such as `{ 'limit.historyCount.suggestContinueAsNew': 50 }`. */
  readonly settings?: Readonly<Record<string, number | boolean>>;
  readonly onProgress?: OnProgress;
  /** Called with a sentence and the server's last words when it ends without having been stopped. */
  readonly onLost?: (words: string) => void;
}

export interface RunningTemporal {
  readonly pid: number;
  /** `host:port`, as `TEMPORAL_ADDRESS` takes it. */
  readonly address: string;
  readonly uiUrl: string | null;
  /** A second call does nothing. */
  stop(): Promise<void>;
}

const STOP: readonly StopStep[] = [
  ['SIGINT', 10_000],
  ['SIGKILL', 5_000],
];
/** On a busy machine the first start takes a minute and more; what does not need Temporal answers meanwhile. */
const START_TIMEOUT_MS = 300_000;
const START_TRIES = 3;

/**
 * Runs Temporal's dev server on 127.0.0.1 and resolves when it takes workflows and knows our search attributes. A
 * server that a killed predecessor left running on the same `directory` is stopped first; anybody else on one of the
 * ports makes it fail with a sentence that names the port and its variable.
 */
export async function startTemporal(options: TemporalOptions): Promise<RunningTemporal> {
  const kept = options.directory !== null;
  const directory =
    options.directory ?? (await mkdtemp(join(tmpdir(), 'pos-integrations-temporal-')));
  const disown = await ownDirectory(directory);
  const release = async () => {
    await disown();
    if (!kept) await rm(directory, { recursive: true, force: true });
  };
  try {
    const paths = pathsIn(directory);
    await clearPredecessor(paths.pid);
    const { port, uiPort, namespaces = [], settings = {} } = options;
    const { onLost = () => {}, onProgress = () => {} } = options;
    const address = `127.0.0.1:${port}`;
    const start = async (): Promise<ServerProcess> => {
      await requireFreePort(port, 'TEMPORAL_PORT');
      if (uiPort !== null) await requireFreePort(uiPort, 'TEMPORAL_UI_PORT');
      const launched = launch(options.binary, paths.log, {
        databaseFile: kept ? paths.database : undefined,
        port,
        uiPort: uiPort ?? undefined,
        namespaces,
        settings,
      });
      const { pid } = launched;
      await writeFile(paths.pid, JSON.stringify({ pid, ...identifyProcess(pid) }));
      const ready = waitUntilReady(launched, address, ['default', ...namespaces]);
      await whileWaiting('Starting Temporal', onProgress, ready);
      return launched;
    };
    const server = await startAgainIfPortTaken(start);
    server.onLost((how) => onLost(`Temporal ended by itself (${how}):\n${server.lastWords()}`));
    let stopped: Promise<void> | undefined;
    return {
      pid: server.pid,
      address,
      uiUrl: uiPort === null ? null : `http://127.0.0.1:${uiPort}`,
      stop: () => (stopped ??= server.stop(STOP).then(release)),
    };
  } catch (error) {
    await release();
    throw error;
  }
}

/**
 * The server takes further ports, which it chooses before it listens on them: somebody else may be faster. Then it
 * ends, and another start chooses others.
 */
async function startAgainIfPortTaken(start: () => Promise<ServerProcess>): Promise<ServerProcess> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await start();
    } catch (error) {
      if (tries === START_TRIES || !String(error).includes('address already in use')) throw error;
    }
  }
}

/** Throws the state in `directory` away; fails like a start when a living process has it. */
export async function removeTemporal(directory: string): Promise<void> {
  await ownDirectory(directory);
  await clearPredecessor(pathsIn(directory).pid);
  await rm(directory, { recursive: true });
}

function pathsIn(directory: string): { database: string; log: string; pid: string } {
  const inside = (name: string) => resolve(directory, name);
  return {
    database: inside('temporal.db'),
    log: inside('temporal.log'),
    pid: inside('temporal.json'),
  };
}

/** Stops what a killed predecessor left running, if it is the recorded process, by id and start time. */
async function clearPredecessor(noteFile: string): Promise<void> {
  const text = await readFile(noteFile, 'utf8').catch(() => '{}');
  const noted: { pid?: number; startedAt?: string } = JSON.parse(text);
  // Without a start time it may be any process that has been given the id since.
  if (noted.pid === undefined || !noted.startedAt) return;
  if (identifyProcess(noted.pid)?.startedAt !== noted.startedAt) return;
  const gone = await endProcess(noted.pid, STOP);
  if (!gone) throw new Error(`the Temporal server ${noted.pid} of an earlier start does not stop`);
}

function launch(binary: string, logFile: string, setting: DevServerSetting): ServerProcess {
  const asked = spawnSync(binary, ['server', 'start-dev', '--help'], { encoding: 'utf8' });
  const help = asked.stdout ?? '';
  return startServerProcess({
    binary,
    args: devServerArgs(setting, help),
    env: process.env,
    logFile,
  });
}

async function waitUntilReady(
  server: ServerProcess,
  address: string,
  namespaces: readonly string[],
): Promise<void> {
  const connection = Connection.lazy({ address });
  const giveUpAt = Date.now() + START_TIMEOUT_MS;
  try {
    while (!(await knowSearchAttributes(connection, namespaces))) {
      const ended = server.ended();
      if (ended === undefined && Date.now() < giveUpAt) await sleep(50);
      else
        throw new Error(`Temporal did not start (${ended ?? 'too slow'}):\n${server.lastWords()}`);
    }
  } catch (error) {
    await server.stop(STOP);
    throw error;
  } finally {
    await connection.close();
  }
}

/** They are registered last, so this also says that the namespaces are there. */
async function knowSearchAttributes(
  connection: Connection,
  namespaces: readonly string[],
): Promise<boolean> {
  try {
    for (const namespace of namespaces) {
      const { customAttributes } = await connection.withDeadline(Date.now() + 2_000, () =>
        connection.operatorService.listSearchAttributes({ namespace }),
      );
      const known = Object.values(SEARCH_ATTRIBUTES).every((name) => name in customAttributes);
      if (!known) return false;
    }
    return true;
  } catch {
    return false;
  }
}
