import { isOverdue, isSwept, maySweep } from '../../platform/queue/lease';
import type { Sql } from '../../platform/db/client';
import type { RolloutId } from './rollouts';

/** `takeOverdue` of rollouts. */
export async function takeOverdueRollouts(sql: Sql, limit: number): Promise<RolloutId[]> {
  const rows = await sql<{ rolloutId: RolloutId }[]>`
    update rollout o set ${isSwept(sql)}
    where rollout_id in (
      select rollout_id from rollout
      where state in ('running', 'reverting') and ${isOverdue(sql, sql`next_sweep_at`)} and ${maySweep(sql)}
      limit ${limit} for update skip locked)
    returning o.rollout_id`;
  return rows.map((row) => row.rolloutId);
}
