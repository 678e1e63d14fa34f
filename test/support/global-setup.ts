import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPostgres } from '../../dev/postgres/embedded-postgres';
import { findFreePort } from '../../dev/processes/free-port';
import { createProgressLine } from '../../dev/processes/progress';
import { findTemporalBinary } from '../../dev/temporal/temporal-binary';
import { startTemporal } from '../../dev/temporal/temporal-server';
import { connect } from '../../src/platform/db/client';
import { migrate } from '../../src/platform/db/migrate';
import { CELLS_DIRECTORY } from '../api-contract/record-answer';
import { createNamespaceSequence, TEST_NAMESPACES } from './temporal-namespace';
import { bundleTestWorkflows } from './workflow-bundle';

const ALL_NEEDS = ['postgres', 'temporal', 'bundle'] as const;
type Need = (typeof ALL_NEEDS)[number];

declare global {
  /** Set here, called by the runner, which knows the files of the run and runs in the same process. */
  var startTestServers: ((needs: ReadonlySet<string>) => Promise<void>) | undefined;
  /** Set here, called by the teardown. */
  var stopTestServers: (() => Promise<void>) | undefined;
}

interface Stoppable {
  stop(): Promise<void>;
}

/** Jest's description of the run. */
interface RunConfig {
  /** Those given on the command line. */
  readonly testPathPatterns: { readonly patterns: readonly string[] };
  readonly testNamePattern?: string;
  readonly onlyChanged: boolean;
  readonly shard?: object;
  /** The module that chooses the files. */
  readonly filter?: string;
}

/**
 * Prepares a run. One Postgres and one Temporal serve all of it; each system under test takes a database and a namespace
 * there. They start when the runner asks, and only those that the run's files need (`needs.js`); at once for a program
 * that is no run of Jest.
 */
export default async function globalSetup(run?: RunConfig): Promise<void> {
  process.env['TEST_RUN_IS_WHOLE'] = String(run !== undefined && isWhole(run));
  const directory = await mkdtemp(join(tmpdir(), 'pos-integrations-test-'));
  await chmod(directory, 0o755); // as root, Postgres runs as a user who must get in
  const cells = join(directory, 'cells');
  await mkdir(cells);
  process.env[CELLS_DIRECTORY] = cells;
  process.env['TEST_COMPILED'] = join(directory, 'compiled');
  const running: Stoppable[] = [];
  globalThis.startTestServers = async (needs) => {
    const starts: Record<Need, () => Promise<Stoppable | void>> = {
      postgres: () => startTestPostgres(directory),
      temporal: startTestTemporal,
      bundle: () => bundleTestWorkflows(directory),
    };
    const wanted = Object.entries(starts).filter(([need]) => needs.has(need));
    const started = await Promise.allSettled(
      wanted.map(async ([, start]) => {
        const server = await start();
        if (server) running.push(server);
      }),
    );
    const refused = started.filter((each) => each.status === 'rejected');
    if (refused[0] === undefined) return;
    await globalThis.stopTestServers?.(); // Jest runs no teardown after a runner that failed
    throw refused[0].reason;
  };
  globalThis.stopTestServers = async () => {
    await Promise.all(running.splice(0).map((server) => server.stop()));
    await rm(directory, { recursive: true, force: true });
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(signal, () => {
      void globalThis.stopTestServers?.().finally(() => process.kill(process.pid, signal));
    });
  }
  if (run === undefined) await globalThis.startTestServers(new Set(ALL_NEEDS));
}

/** Whether at least everything of the everyday run runs, and not only some files that were asked for. */
function isWhole(run: RunConfig): boolean {
  if (run.testNamePattern || run.onlyChanged || run.shard) return false;
  if (run.testPathPatterns.patterns.length > 0) return false;
  return run.filter === undefined || run.filter.endsWith('everyday.js');
}

async function startTestPostgres(directory: string): Promise<Stoppable> {
  const postgres = await startPostgres({
    directory: join(directory, 'postgres'),
    settings: { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' },
  });
  try {
    await postgres.createDatabase('template_app');
    const sql = connect(postgres.url('template_app'), { max: 1, statementTimeoutMs: 0 });
    await migrate(sql);
    await sql.end();
    const admin = connect(postgres.url('postgres'), { max: 1 });
    await createNamespaceSequence(admin);
    await admin.end();
    process.env['TEST_DATABASE_ADMIN_URL'] = postgres.url('postgres');
    return postgres;
  } catch (error) {
    await postgres.stop();
    throw error;
  }
}

async function startTestTemporal(): Promise<Stoppable> {
  const progress = createProgressLine(process.stderr);
  const binary = await findTemporalBinary(progress.report);
  progress.clear();
  const port = await findFreePort();
  const temporal = await startTemporal({
    binary,
    directory: null,
    port,
    uiPort: null,
    namespaces: TEST_NAMESPACES,
  });
  process.env['TEST_TEMPORAL_ADDRESS'] = temporal.address;
  return temporal;
}
