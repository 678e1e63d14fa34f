import type { Sql } from '../platform/db/client';

export interface DriftedMenus {
  readonly app: string;
  readonly count: number;
}

/** The live menus that their app showed otherwise when it was last read, by app; found by an index of these alone. */
export async function countDriftedMenus(sql: Sql): Promise<DriftedMenus[]> {
  return sql<DriftedMenus[]>`
    select i.app, count(*)::int as count
    from publication p join integration i using (integration_id) join store s using (store_id)
    where p.drift_state = 'changed' and s.deleted_at is null group by i.app`;
}
