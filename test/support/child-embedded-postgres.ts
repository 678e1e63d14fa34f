/** Starts Postgres in the directory given, prints its pid and URL as JSON, and stays until it is killed. */
import { startPostgres } from '../../dev/postgres/embedded-postgres';

async function main(): Promise<void> {
  const directory = process.argv[2] ?? '';
  const postgres = await startPostgres({ directory, settings: { fsync: 'off' } });
  process.stdout.write(`${JSON.stringify({ pid: postgres.pid, url: postgres.url('postgres') })}\n`);
  process.once('SIGTERM', () => void postgres.stop());
  setInterval(() => {}, 60_000);
}

void main();
