import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Sql } from '../../src/platform/db/client';
import { createTestDatabase, type TestDatabase } from '../support/database';
import { prepareUploadRows } from '../support/upload-rows';

const MIGRATION = join(__dirname, '../../src/platform/db/migrations/0005_loss_counts.sql');

let database: TestDatabase;
let sql: Sql;

beforeAll(async () => {
  database = await createTestDatabase();
  sql = database.sql;
});
afterAll(() => database.drop());

interface Row {
  readonly losses: { code: string; severity: string; message: string }[];
  readonly lossCounts: object;
}

function loss(severity: string, n: number) {
  return {
    code: 'entity_unused',
    severity,
    pointer: `/items/${n}`,
    external_id: `I${n}`,
    message: `${n}`,
  };
}

test('uploads from before the bound are counted and cut to the most severe 1,000', async () => {
  const rows = await prepareUploadRows(sql);
  const [few, many, none] = [await rows.insert(), await rows.insert(), await rows.insert()];
  const info = Array.from({ length: 1_200 }, (_, n) => loss('info', n));
  const warn = Array.from({ length: 3 }, (_, n) => loss('warn', n));
  const keep = (id: string, losses: object[]) =>
    sql`update menu_upload set losses = ${JSON.stringify(losses)}::text::json where upload_id = ${id}`;
  await keep(few, warn);
  await keep(many, [...info, ...warn, loss('block', 0)]);
  await sql`alter table menu_upload drop column loss_counts`;
  await sql.unsafe(await readFile(MIGRATION, 'utf8'));

  const read = async (id: string) => {
    const [row] = await sql<Row[]>`
      select losses, loss_counts from menu_upload where upload_id = ${id}`;
    return row;
  };
  expect(await read(none)).toEqual({ losses: [], lossCounts: { block: 0, warn: 0, info: 0 } });
  expect(await read(few)).toEqual({ losses: warn, lossCounts: { block: 0, warn: 3, info: 0 } });
  const cut = await read(many);
  expect(cut?.lossCounts).toEqual({ block: 1, warn: 3, info: 1_200 });
  expect(cut?.losses).toHaveLength(1_001);
  expect(cut?.losses.slice(0, 5)).toEqual([loss('block', 0), ...warn, loss('info', 0)]);
  expect(cut?.losses.at(-1)).toMatchObject({
    code: 'losses_omitted',
    message: '204 more losses were left out.',
  });
});
