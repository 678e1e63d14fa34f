import { chmod, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPostgres } from '../../dev/postgres/embedded-postgres';
import { findFreePort } from '../../dev/processes/free-port';
import { findTemporalBinary } from '../../dev/temporal/temporal-binary';
import { startTemporal } from '../../dev/temporal/temporal-server';
import { connect } from '../../src/platform/db/client';
import { migrate } from '../../src/platform/db/migrate';
import { processTree, signalAll } from './process-tree';

/** A server that may be killed: it comes back on the same port with the same data. */
export interface MortalServer {
  /** A database URL, or `host:port`. */
  readonly address: string;
  start(): Promise<void>;
  /** In order. */
  stop(): Promise<void>;
  /** By SIGKILL. */
  kill(): Promise<void>;
  /** By SIGKILL, and its data is thrown away; it starts empty. */
  wipe(): Promise<void>;
  /** Stops it, with all its processes, where they stand. */
  freeze(): void;
  /** Lets it go on. */
  thaw(): void;
  /** Stops it and throws its data away. */
  remove(): Promise<void>;
}

/** Postgres with the project's tables, on its own data. */
export async function startMortalPostgres(): Promise<MortalServer> {
  const directory = await makeDirectory();
  // Data passed to the operating system survives the death of a process.
  const start = () => startPostgres({ directory, settings: { fsync: 'off' } });
  const first = await start();
  await first.createDatabase('app');
  const address = first.url('app');
  const sql = connect(address, { max: 1, statementTimeoutMs: 0 });
  await migrate(sql);
  await sql.end();
  return mortal(address, directory, first, start);
}

/** Temporal with its state in a file. */
export async function startMortalTemporal(): Promise<MortalServer> {
  const directory = await makeDirectory();
  const binary = await findTemporalBinary(() => {});
  const port = await findFreePort();
  const start = () => startTemporal({ binary, directory, port, uiPort: null });
  const first = await start();
  return mortal(first.address, directory, first, start);
}

async function makeDirectory(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'pos-integrations-test-'));
  await chmod(directory, 0o755); // as root, Postgres runs as a user who must get in
  return directory;
}

interface Server {
  readonly pid: number;
  stop(): Promise<void>;
}

function mortal(
  address: string,
  directory: string,
  first: Server,
  start: () => Promise<Server>,
): MortalServer {
  let server = first;
  // By id: below a parent that was killed meanwhile they would not be found again.
  let frozen: readonly number[] = [];
  const thaw = (): void => {
    signalAll(frozen, 'SIGCONT');
    frozen = [];
  };
  const kill = async (): Promise<void> => {
    process.kill(server.pid, 'SIGKILL');
    // Its other processes end when they find it dead, which they do only when they run.
    thaw();
    await server.stop(); // waits for the end, and gives up the directory
  };
  return {
    address,
    async start() {
      server = await start();
    },
    stop: () => server.stop(),
    kill,
    async wipe() {
      await kill();
      for (const file of await readdir(directory))
        await rm(join(directory, file), { recursive: true });
    },
    freeze() {
      frozen = processTree(server.pid);
      signalAll(frozen, 'SIGSTOP');
    },
    thaw,
    async remove() {
      await server.stop();
      await rm(directory, { recursive: true, force: true });
    },
  };
}
