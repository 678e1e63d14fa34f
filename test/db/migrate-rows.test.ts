import { mkdir, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createStore } from '../../src/admin/stores';
import { migrate } from '../../src/platform/db/migrate';
import { BASELINE, readMigrations } from '../../src/platform/db/read-migrations';
import { recordUploadEnd } from '../../src/uploads/sql/upload-end';
import { createEmptyDatabase, type TestDatabase } from '../support/database';
import { prepareUploadRows } from '../support/upload-rows';
import { createWebhookRows } from '../support/webhook-rows';

const SOURCE = join(__dirname, '../../src/platform/db');

let database: TestDatabase;
/** The baseline alone. */
let first: string;

beforeAll(async () => {
  database = await createEmptyDatabase();
  first = await mkdtemp(join(tmpdir(), 'first-schema-'));
  await symlink(join(SOURCE, 'baseline'), join(first, 'baseline'));
  await mkdir(join(first, 'migrations'));
});
afterAll(async () => {
  await database.drop();
  await rm(first, { recursive: true });
});

type Columns = ReadonlyMap<string, readonly string[]>;

async function columnsByTable(): Promise<Columns> {
  const rows = await database.sql<{ name: string; columns: string[] }[]>`
    select table_name as name, array_agg(column_name::text) as columns
    from information_schema.columns join pg_tables on tablename = table_name and schemaname = table_schema
    where table_schema = 'public' and table_name <> 'schema_migration' group by 1`;
  return new Map(rows.map(({ name, columns }) => [name, columns]));
}

/** Everything that stands in these columns. */
async function contentOf(tables: Columns): Promise<Record<string, string[]>> {
  const { sql } = database;
  const content: Record<string, string[]> = {};
  for (const [name, columns] of tables) {
    const rows = await sql<{ text: string }[]>`
      select to_jsonb(r)::text as text from (select ${sql(columns)} from ${sql(name)}) as r order by 1`;
    content[name] = rows.map(({ text }) => text);
  }
  return content;
}

test('the baseline is final: a change of the schema is a further migration', async () => {
  const migrations = await readMigrations(SOURCE);
  expect(migrations.find(({ name }) => name === BASELINE)?.sha256).toBe(
    '0b3d807644a6f7a98312a7702d164c95c55e7d28943261140ae0a30209b3c973',
  );
});

test('a database of the baseline alone loses no row, and processes of that time go on', async () => {
  const { sql } = database;
  await migrate(sql, first);
  const uploads = await prepareUploadRows(sql);
  const { userId } = uploads;
  const ended = await uploads.insertRunning();
  await recordUploadEnd(sql, ended, { state: 'failed', messages: ['No.'] });
  await uploads.insertRunning();
  await uploads.insert();
  const name = 'Café SÃO Łódź';
  const { store_id: storeId } = await createStore({ sql }, { name, country: 'BR', userId });
  const webhooks = await createWebhookRows(sql);
  await webhooks.put(await webhooks.subscribe({ url: 'https://stock.example/' }), 2);
  const signIn = (session: string) => sql`
    insert into console_session (session_id, token_id, ends_at) values (${session}, 'token', now() + interval '1 hour')`;
  await sql`
    insert into access_token (token_id, user_id, token_sha256) values ('token', ${userId}, ${Buffer.from('a hash')})`;
  await signIn('before');
  const tables = await columnsByTable();
  const before = await contentOf(tables);

  expect(await migrate(sql)).not.toHaveLength(0);

  expect(await contentOf(tables)).toEqual(before);
  await signIn('by an API of before');
  expect(await sql`select user_id from console_session`).toEqual([{ userId }, { userId }]);
  expect(await sql`select name_folded from store where store_id = ${storeId}`).toEqual([
    { nameFolded: 'cafe sao lodz' },
  ]);
});
