import type { Sql, Transaction } from '../../src/platform/db/client';

interface RowsRead {
  /** How often a table or one of its indexes was entered. */
  readonly looks: number;
  /** How many rows were read. */
  readonly rows: number;
  /** How many pages of them and of their indexes were read. A row that an index leaves out counts only here. */
  readonly pages: number;
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
    const value = await work(asPool(tx, begin));
    const after = await readSoFar(tx, tables);
    return {
      value,
      looks: after.looks - before.looks,
      rows: after.rows - before.rows,
      pages: after.pages - before.pages,
    };
  });
}

/** A transaction in place of the pool. */
export function asPool(
  tx: Transaction,
  begin?: (part: (own: Transaction) => unknown) => unknown,
): Sql {
  const pool = Object.assign(tx, { ...(begin && { begin }), forAll: () => pool, by: () => pool });
  return pool as unknown as Sql;
}

async function readSoFar(tx: Transaction, tables: string): Promise<RowsRead> {
  const [row] = await tx<RowsRead[]>`
    select sum(coalesce(idx_scan, 0) + seq_scan)::int as looks,
      sum(coalesce(idx_tup_fetch, 0) + seq_tup_read)::int as rows, (
        select sum(pg_stat_get_xact_blocks_fetched(oid))::int from pg_class
        where oid in (select relid from pg_stat_xact_user_tables where relname like ${tables}) or oid in (
          select indexrelid from pg_stat_user_indexes where relname like ${tables})) as pages
    from pg_stat_xact_user_tables where relname like ${tables}`;
  return row ?? { looks: Number.NaN, rows: Number.NaN, pages: Number.NaN };
}
