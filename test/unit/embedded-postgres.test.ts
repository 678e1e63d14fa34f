import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, chown, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DirectoryInUseError } from '../../dev/processes/directory-owner';
import { type RunningPostgres, startPostgres } from '../../dev/postgres/embedded-postgres';
import { identifyProcess } from '../../dev/processes/process-identity';
import { connect } from '../../src/platform/db/client';
import { until } from '../support/until';

const NOBODY = 65_534;
const settings = { fsync: 'off' };

let directory: string;
let running: RunningPostgres | undefined;
let program: ChildProcess | undefined;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'embedded-postgres-'));
  await chmod(directory, 0o755);
});
afterEach(async () => {
  program?.kill('SIGKILL');
  await running?.stop();
  running = undefined;
  await rm(directory, { recursive: true, force: true });
});

async function start(): Promise<RunningPostgres> {
  running = await startPostgres({ directory, settings });
  return running;
}

/** Another process that starts Postgres there, as another user if one is given. */
async function startElsewhere(uid?: number): Promise<{ pid: number; url: string }> {
  const file = join(__dirname, '../support/child-embedded-postgres.ts');
  program = spawn(process.execPath, ['--import', 'tsx', file, directory], {
    stdio: ['ignore', 'pipe', 'inherit'],
    ...(uid === undefined ? {} : { uid, gid: uid }),
  });
  if (!program.stdout) throw new Error('no output to read');
  const [line] = await once(program.stdout, 'data');
  return JSON.parse(String(line));
}

async function query<T>(
  url: string,
  run: (sql: ReturnType<typeof connect>) => Promise<T>,
): Promise<T> {
  const sql = connect(url, { max: 1 });
  try {
    return await run(sql);
  } finally {
    await sql.end({ timeout: 1 });
  }
}

test('data, port and password survive a stop', async () => {
  const first = await start();
  await first.createDatabase('kept');
  await query(first.url('kept'), (sql) => sql`create table t as select 42 as answer`);
  await first.stop();
  const second = await start();
  expect(second.url('kept')).toBe(first.url('kept'));
  expect(await query(second.url('kept'), (sql) => sql`select answer from t`)).toEqual([
    { answer: 42 },
  ]);
});

test('creating a database that is there changes nothing', async () => {
  const postgres = await start();
  await postgres.createDatabase('Odd "name"');
  await expect(postgres.createDatabase('Odd "name"')).resolves.toBeUndefined();
});

test('the password is required', async () => {
  const { hostname, port } = new URL((await start()).url('postgres'));
  await expect(
    query(`postgres://postgres:guess@${hostname}:${port}/postgres`, (sql) => sql`select 1`),
  ).rejects.toThrow('password authentication failed');
});

test('what was committed before a kill of the server is there after the next start', async () => {
  const first = await start();
  await query(first.url('postgres'), (sql) => sql`create table t as select 42 as answer`);
  process.kill(first.pid, 'SIGKILL');
  await first.stop();
  const second = await start();
  expect(await query(second.url('postgres'), (sql) => sql`select answer from t`)).toEqual([
    { answer: 42 },
  ]);
});

test('who started a server is told with its last words when it ends by itself', async () => {
  const lost: string[] = [];
  running = await startPostgres({ directory, settings, onLost: (words) => void lost.push(words) });
  process.kill(running.pid, 'SIGINT');
  await until(() => lost.length > 0);
  expect(lost).toEqual([expect.stringMatching(/^Postgres ended by itself \(exit code 0\):\n/)]);
  expect(lost[0]).toContain('database system is shut down');
});

test('a server left running by a killed process is stopped and its data taken over', async () => {
  const orphan = await startElsewhere();
  await query(orphan.url, (sql) => sql`create table t as select 42 as answer`);
  program?.kill('SIGKILL');
  if (program) await once(program, 'exit');
  expect(identifyProcess(orphan.pid)).toBeDefined();

  const postgres = await start();
  expect(identifyProcess(orphan.pid)).toBeUndefined();
  expect(await query(postgres.url('postgres'), (sql) => sql`select answer from t`)).toEqual([
    { answer: 42 },
  ]);
});

test('a second start in the same directory is refused and leaves the first alone', async () => {
  const first = await start();
  await expect(startPostgres({ directory, settings })).rejects.toThrow(DirectoryInUseError);
  expect(await query(first.url('postgres'), (sql) => sql`select 1 as one`)).toEqual([{ one: 1 }]);
});

if (process.getuid?.() === 0) {
  test('an ordinary user gets the same result as root', async () => {
    await chown(directory, NOBODY, NOBODY);
    const { url } = await startElsewhere(NOBODY);
    expect(await query(url, (sql) => sql`select 1 as one`)).toEqual([{ one: 1 }]);
    program?.kill('SIGTERM');
  });
}
