import type { Sql, Transaction } from '../../src/platform/db/client';

interface EndedRead {
  /** How often a table or an index of ended deliveries was entered. */
  readonly looks: number;
  /** How many of their rows were read. */
  readonly rows: number;
}

/** What `work` resolves to, and what it reads of ended deliveries. */
export async function readingEnded<Value>(
  sql: Sql,
  work: (sql: Sql) => Promise<Value>,
): Promise<EndedRead & { readonly value: Value }> {
  return sql.begin(async (tx) => {
    const before = await readSoFar(tx);
    const value = await work(tx as Sql);
    const after = await readSoFar(tx);
    return { value, looks: after.looks - before.looks, rows: after.rows - before.rows };
  });
}

async function readSoFar(tx: Transaction): Promise<EndedRead> {
  const [row] = await tx<EndedRead[]>`
    select sum(coalesce(idx_scan, 0) + seq_scan)::int as looks,
      sum(coalesce(idx_tup_fetch, 0) + seq_tup_read)::int as rows
    from pg_stat_xact_user_tables where relname like 'ended\\_delivery%'`;
  return row ?? { looks: Number.NaN, rows: Number.NaN };
}
