import { connect } from '../platform/db/client';
import { postgresSentence } from '../platform/db/postgres-sentence';
import { migrate } from '../platform/db/migrate';

async function main(): Promise<void> {
  // Through a pooler, migrations would have the deadline of its sessions.
  const url = process.env['DATABASE_DIRECT_URL'] || process.env['DATABASE_URL'];
  if (!url) throw new Error('DATABASE_URL is required');
  const sql = connect(url, { max: 1, statementTimeoutMs: 0 });
  try {
    const applied = await migrate(sql);
    process.stdout.write(`${JSON.stringify({ applied })}\n`);
  } finally {
    await sql.end({ timeout: 5 });
  }
}

main().catch((error: unknown) => {
  const ofPostgres = postgresSentence(error, process.env['DATABASE_URL'] ?? '');
  const own = error instanceof Error ? error.message : String(error);
  process.stderr.write(`${ofPostgres ?? own}\n`);
  process.exitCode = 1;
});
