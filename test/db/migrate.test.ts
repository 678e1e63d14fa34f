import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { connect } from '../../src/platform/db/client';
import { checkSchema, migrate } from '../../src/platform/db/migrate';
import { createEmptyDatabase, type TestDatabase } from '../support/database';

const OF_BEFORE =
  /^The database was made before release 1\.0\.0.*npm start -- --reset.*a fresh database\.$/;

let database: TestDatabase;
let directory: string;

beforeEach(async () => {
  database = await createEmptyDatabase();
  directory = await mkdtemp(join(tmpdir(), 'migrations-'));
  await mkdir(join(directory, 'baseline'));
  await mkdir(join(directory, 'migrations'));
  await write('baseline/order.txt', '# By need\n\nparent.sql\nchild.sql\n');
  await write('baseline/parent.sql', 'create table parent (id int primary key);');
  await write(
    'baseline/child.sql',
    'create table child (id int references parent); insert into child values (null);',
  );
  await write('migrations/0002_second.sql', 'create table second (id int);');
});

afterEach(async () => {
  await database.drop();
  await rm(directory, { recursive: true });
});

function write(name: string, text: string): Promise<void> {
  return writeFile(join(directory, name), text);
}

async function tableNames(): Promise<string[]> {
  const rows = await database.sql<{ tablename: string }[]>`
    select tablename from pg_tables where schemaname = 'public' order by tablename`;
  return rows.map(({ tablename }) => tablename);
}

test('twenty processes that start at once apply each migration exactly once', async () => {
  const pools = Array.from({ length: 20 }, () => connect(database.url, { max: 1 }));
  const applied = await Promise.all(pools.map((pool) => migrate(pool, directory)));
  await Promise.all(pools.map((pool) => pool.end()));

  expect(applied.flat().toSorted()).toEqual(['0001_baseline', '0002_second.sql']);
  expect(await database.sql`select * from child`).toHaveLength(1);
});

test('a later migration is applied alone, and a second run finds nothing to do', async () => {
  await migrate(database.sql, directory);
  await write('migrations/0003_third.sql', 'create table third (id int);');
  expect(await migrate(database.sql, directory)).toEqual(['0003_third.sql']);
  expect(await migrate(database.sql, directory)).toEqual([]);
});

test('an edited migration that was applied before is refused by name', async () => {
  await migrate(database.sql, directory);
  await write('migrations/0002_second.sql', 'create table second (id bigint);');
  await expect(migrate(database.sql, directory)).rejects.toThrow(
    'migration 0002_second.sql was edited',
  );
});

test('other line ends are not an edit', async () => {
  await write('migrations/0003_third.sql', 'create table third (\n  id int\n);\n');
  await migrate(database.sql, directory);
  await write('migrations/0003_third.sql', 'create table third (\r\n  id int\r\n);\r\n');
  expect(await migrate(database.sql, directory)).toEqual([]);
});

test('a database newer than the build is refused', async () => {
  await migrate(database.sql, directory);
  await rm(join(directory, 'migrations/0002_second.sql'));
  await expect(migrate(database.sql, directory)).rejects.toThrow(
    'the database is newer than this build: it has 0002_second.sql',
  );
});

test('a failing migration leaves nothing of itself behind, and the next run goes on with it', async () => {
  await write('migrations/0003_broken.sql', 'create table third (id int); select * from nowhere;');
  await expect(migrate(database.sql, directory)).rejects.toThrow(
    'migrations/0003_broken.sql failed: relation "nowhere" does not exist',
  );
  expect(await tableNames()).toEqual(['child', 'parent', 'schema_migration', 'second']);
  await write('migrations/0003_broken.sql', 'create table third (id int);');
  expect(await migrate(database.sql, directory)).toEqual(['0003_broken.sql']);
});

test.each(['0001_core.sql', '0017_webhook_lines.sql'])(
  'a database of before the baseline, with %s, is refused with what to do, and left as it is',
  async (name) => {
    const { sql } = database;
    await sql`create table schema_migration (name text primary key, sha256 text not null)`;
    await sql`insert into schema_migration values (${name}, 'of before')`;
    await expect(migrate(sql, directory)).rejects.toThrow(OF_BEFORE);
    expect(await tableNames()).toEqual(['schema_migration']);
    expect(await checkSchema(sql, directory)).toBe('behind');
  },
);

test('a database with another state of the baseline is refused with what to do', async () => {
  await migrate(database.sql, directory);
  await write('baseline/parent.sql', 'create table parent (id bigint primary key);');
  await expect(migrate(database.sql, directory)).rejects.toThrow(OF_BEFORE);
});

test('a file of the baseline that has no place in its order is refused by name', async () => {
  await mkdir(join(directory, 'baseline/functions'));
  await write('baseline/functions/forgotten.sql', 'select 1;');
  await expect(migrate(database.sql, directory)).rejects.toThrow(
    'baseline/order.txt does not name functions/forgotten.sql',
  );
});

test('a file that would be out of order is refused', async () => {
  await write('migrations/10_tenth.sql', 'select 1;');
  await expect(migrate(database.sql, directory)).rejects.toThrow(
    '10_tenth.sql is not named NNNN_name.sql',
  );
});

test('a process accepts its own schema and any newer one, but no older one and no empty database', async () => {
  expect(await checkSchema(database.sql, directory)).toBe('missing');
  await migrate(database.sql, directory);
  expect(await checkSchema(database.sql, directory)).toBe('ok');
  await write('migrations/0003_third.sql', 'create table third (id int);');
  expect(await checkSchema(database.sql, directory)).toBe('behind');
  await migrate(database.sql, directory);
  await rm(join(directory, 'migrations/0003_third.sql'));
  expect(await checkSchema(database.sql, directory)).toBe('ok');
});

test("the project's own baseline and migrations apply to an empty database", async () => {
  expect(await migrate(database.sql)).not.toHaveLength(0);
  expect(await checkSchema(database.sql)).toBe('ok');
});

test.each(['DATABASE_URL', 'DATABASE_DIRECT_URL'])(
  'the program says in one sentence that the server of %s is away',
  async (variable) => {
    const url = Object.assign(new URL(database.url), { port: '1' });
    const env = { ...process.env, DATABASE_URL: database.url, [variable]: url.href };
    const program = join(__dirname, '../../src/bin/migrate.ts');
    const run = promisify(execFile)(process.execPath, ['--import', 'tsx', program], { env });
    await expect(run).rejects.toMatchObject({
      code: 1,
      stdout: '',
      stderr: `Postgres cannot be reached at ${url.hostname}:1 (ECONNREFUSED); ${variable} says where it is.\n`,
    });
  },
);
