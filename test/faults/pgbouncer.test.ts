import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { findFreePort } from '../../dev/processes/free-port';
import { connect, type Sql } from '../../src/platform/db/client';
import { POOLER_CONNECT_QUERY } from '../../src/platform/db/session-settings';
import { ROOT } from '../support/documents';
import { type MortalServer, startMortalPostgres } from '../support/own-servers';
import { until } from '../support/until';

const isHere = spawnSync('pgbouncer', ['--version']).status === 0;

/** Within this time of its return all work goes on, ms. */
const GOES_ON_MS = 5_000;
/** PgBouncer does not run as root. */
const NOBODY = 65_534;

let directory: string;
let postgres: MortalServer;
let pooler: ChildProcess | undefined;

beforeAll(async () => {
  if (!isHere) return;
  postgres = await startMortalPostgres();
  directory = await mkdtemp(join(tmpdir(), 'pos-integrations-pgbouncer-'));
  await chmod(directory, 0o755);
});
afterAll(async () => {
  if (!isHere) return;
  pooler?.kill('SIGKILL');
  await postgres.remove();
  await rm(directory, { recursive: true });
});

/** PgBouncer with the file of docs/scaling.md; its own page says nothing of how to sign in. Returns its URL. */
async function startPooler(): Promise<string> {
  const page = await readFile(join(ROOT, 'docs/scaling.md'), 'utf8');
  const documented = /```ini\n([^`]+)```/.exec(page)?.[1] ?? '';
  const at = new URL(postgres.address);
  const port = await findFreePort();
  const ini = documented
    .replace(/^pos = host=postgres dbname=pos/m, `app = host=127.0.0.1 port=${at.port} dbname=app`)
    .replace('CONNECT_QUERY', POOLER_CONNECT_QUERY.replaceAll("'", "''"));
  const users = join(directory, 'users.txt');
  await writeFile(users, `"${at.username}" "${decodeURIComponent(at.password)}"\n`);
  const file = join(directory, 'pgbouncer.ini');
  await writeFile(
    file,
    `${ini}listen_addr = 127.0.0.1\nlisten_port = ${port}\nunix_socket_dir =\nauth_type = plain\nauth_file = ${users}\n`,
  );
  const asNobody = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {};
  pooler = spawn('pgbouncer', [file], { stdio: 'ignore', ...asNobody });
  return Object.assign(new URL(postgres.address), { port: String(port) }).href;
}

async function works(sql: Sql): Promise<boolean> {
  try {
    await sql`select count(*) from delivery`;
    return true;
  } catch {
    return false;
  }
}

if (isHere) {
  test('after a crash of Postgres, work goes on through PgBouncer as documented within 5 s', async () => {
    const sql = connect(await startPooler(), { max: 10, pooled: true });
    await until(() => works(sql));
    for (let crash = 1; crash <= 2; crash++) {
      await postgres.kill();
      // Load goes on while it is away, so that PgBouncer notices.
      const end = Date.now() + 1_500;
      while (Date.now() < end) {
        await Promise.all([works(sql), works(sql), works(sql)]);
        await sleep(20);
      }
      const starting = postgres.start();
      const tries = (async () => {
        while (!(await works(sql))) await sleep(20);
        return Date.now();
      })();
      await starting;
      const returnedAt = Date.now();
      expect((await tries) - returnedAt).toBeLessThan(GOES_ON_MS);
    }
    await sql.end({ timeout: 1 });
    const ended = once(pooler ?? process, 'exit');
    pooler?.kill('SIGTERM');
    await ended;
  });
} else {
  test('NOT RUN: a crash of Postgres behind PgBouncer, as pgbouncer is missing', () => {
    expect(isHere).toBe(false);
  });
}
