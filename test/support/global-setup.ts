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

declare global {
  /** Set here, called by the teardown, which runs in the same process. */
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
}

/** One Postgres and one Temporal for the whole run; each system under test takes a database and a namespace there. */
export default async function globalSetup(run?: RunConfig): Promise<void> {
  process.env['TEST_RUN_IS_WHOLE'] = String(run !== undefined && isWhole(run));
  const directory = await mkdtemp(join(tmpdir(), 'pos-integrations-test-'));
  await chmod(directory, 0o755); // as root, Postgres runs as a user who must get in
  const cells = join(directory, 'cells');
  await mkdir(cells);
  process.env[CELLS_DIRECTORY] = cells;
  process.env['TEST_COMPILED'] = join(directory, 'compiled');
  const started = await Promise.allSettled([
    startTestPostgres(directory),
    startTestTemporal(),
    bundleTestWorkflows(directory),
  ]);
  globalThis.stopTestServers = async () => {
    const servers = started.flatMap((each) =>
      each.status === 'fulfilled' ? (each.value ?? []) : [],
    );
    await Promise.all(servers.map((server) => server.stop()));
    await rm(directory, { recursive: true, force: true });
  };
  for (const each of started) {
    if (each.status === 'fulfilled') continue;
    await globalThis.stopTestServers(); // jest runs no teardown after a setup that failed
    throw each.reason;
  }
}

/** Whether all tests run, and not only some that were asked for. */
function isWhole({ testPathPatterns, testNamePattern, onlyChanged, shard }: RunConfig): boolean {
  return testPathPatterns.patterns.length === 0 && !testNamePattern && !onlyChanged && !shard;
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
