import type { Sql, Transaction } from '../../src/platform/db/client';

interface RowsRead {
  /** How often a table or one of its indexes was entered. */
  readonly looks: number;
  /** How many rows were read. */
  readonly rows: number;
}

/** What `work` resolves to, and what it reads of ended deliveries. */
export async function readingEnded<Value>(
  sql: Sql,
  work: (sql: Sql) => Promise<Value>,
): Promise<RowsRead & { readonly value: Value }> {
  return readingOf('ended\\_delivery%', sql, work);
}

/**
 * What `work` resolves to, and what it reads of the tables whose names are like this, in one transaction; one that it
 * begins is a part of it.
 */
export async function readingOf<Value>(
  tables: string,
  sql: Sql,
  work: (sql: Sql) => Promise<Value>,
): Promise<RowsRead & { readonly value: Value }> {
  return sql.begin(async (tx) => {
    const before = await readSoFar(tx, tables);
    const begin = (part: (own: Transaction) => unknown) => part(tx);
    const value = await work(Object.assign(tx, { begin }) as unknown as Sql);
    const after = await readSoFar(tx, tables);
    return { value, looks: after.looks - before.looks, rows: after.rows - before.rows };
  });
}

async function readSoFar(tx: Transaction, tables: string): Promise<RowsRead> {
  const [row] = await tx<RowsRead[]>`
    select sum(coalesce(idx_scan, 0) + seq_scan)::int as looks,
      sum(coalesce(idx_tup_fetch, 0) + seq_tup_read)::int as rows
    from pg_stat_xact_user_tables where relname like ${tables}`;
  return row ?? { looks: Number.NaN, rows: Number.NaN };
}
