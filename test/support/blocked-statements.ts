import type { Sql } from '../../src/platform/db/client';

/**
 * How many statements in this database wait for a lock of the table. Databases made from one template give their tables
 * the same numbers, so those of other tests must not count.
 */
export async function countBlocked(sql: Sql, table: string): Promise<number> {
  const waiting = await sql`
    select from pg_locks
    where not granted and relation = ${table}::regclass
      and database = (select oid from pg_database where datname = current_database())`;
  return waiting.length;
}
