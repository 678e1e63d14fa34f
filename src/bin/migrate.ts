import { connect } from '../platform/db/client';
import { postgresSentence } from '../platform/db/postgres-sentence';
import { migrate } from '../platform/db/migrate';

// Through a pooler, migrations would have the deadline of its sessions.
const VARIABLE = process.env['DATABASE_DIRECT_URL'] ? 'DATABASE_DIRECT_URL' : 'DATABASE_URL';

async function main(): Promise<void> {
  const url = process.env[VARIABLE];
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
  const ofPostgres = postgresSentence(error, process.env[VARIABLE] ?? '', VARIABLE);
  const own = error instanceof Error ? error.message : String(error);
  process.stderr.write(`${ofPostgres ?? own}\n`);
  process.exitCode = 1;
});
