import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { documents, ROOT } from '../support/documents';
import { createTestDatabase, type TestDatabase } from '../support/database';

/** Decisions quote statements, but nobody pastes them from there. */
const PAGES = documents().filter((page) => !/^docs.decisions/.test(page));

/** What an operator pastes into psql: blocks, and what is short enough for a line. */
const STATEMENTS = PAGES.flatMap((page) => {
  const text = readFileSync(join(ROOT, page), 'utf8');
  const blocks = [...text.matchAll(/^(?:\d+\. )? *```sql\n([^]*?)^ *```$/gm)];
  const lines = [...text.matchAll(/`((?:select|alter table) [^`\n]+)`/g)];
  return [...blocks, ...lines].map(([, statement = '']) => [page, statement] as const);
});

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

test('statements are found in blocks, in a list and in a line', () => {
  for (const words of ['disabled_reason', 'availability_mark', 'array_agg(shard)']) {
    const found = STATEMENTS.filter(([, statement]) => statement.includes(words));
    expect([words, found.length]).toEqual([words, 1]);
  }
});

test.each(STATEMENTS)('in %s: %s', async (_page, statement) => {
  await expect(database.sql.unsafe(statement)).resolves.toBeDefined();
});
