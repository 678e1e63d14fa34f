import { connect } from '../db/client';
import { migrate } from '../db/migrate';

async function main(): Promise<void> {
  const url = process.env['DATABASE_URL'];
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
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
