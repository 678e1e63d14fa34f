import type { Sql } from './client';

/** How long the oldest row that could be worked on has been waiting, ms; 0 when there is none. */
export async function findOldestDueMs(sql: Sql): Promise<number> {
  const [row] = await sql<{ ms: number }[]>`
    select coalesce(max(extract(epoch from now() - due_at)) * 1000, 0)::float8 as ms from (
      (select coalesce(next_attempt_at, created_at) as due_at from menu_upload
        where state in ('queued', 'running')
        order by coalesce(next_attempt_at, created_at) limit 1)
    ) as oldest where due_at <= now()`;
  return row?.ms ?? 0;
}
