import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPostgres } from '../../dev/postgres/embedded-postgres';
import { connect, type Sql } from '../../src/platform/db/client';
import { migrate } from '../../src/platform/db/migrate';

/** Does the work with a migrated database in a Postgres that is removed afterwards. */
export async function withDatabase(max: number, work: (sql: Sql) => Promise<void>): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), 'pos-integrations-bench-'));
  await chmod(directory, 0o755);
  const postgres = await startPostgres({ directory });
  try {
    await postgres.createDatabase('bench');
    const sql = connect(postgres.url('bench'), { max, statementTimeoutMs: 0 });
    await migrate(sql);
    await work(sql);
    await sql.end();
  } finally {
    await postgres.stop();
    await rm(directory, { recursive: true, force: true });
  }
}
