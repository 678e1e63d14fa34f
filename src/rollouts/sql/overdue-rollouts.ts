import { nextSweepAt } from '../../platform/queue/workflow-kind';
import type { Sql } from '../../platform/db/client';
import type { RolloutId } from './rollouts';

/** `takeOverdue` of rollouts. */
export async function takeOverdueRollouts(sql: Sql, limit: number): Promise<RolloutId[]> {
  const rows = await sql<{ rolloutId: RolloutId }[]>`
    update rollout o set sweeps = sweeps + 1,
      next_sweep_at = ${nextSweepAt(sql)}
    where rollout_id in (
      select rollout_id from rollout
      where state in ('running', 'reverting') and next_sweep_at < now() - interval '30 s'
        and (alive_until is null or alive_until <= now())
      limit ${limit} for update skip locked)
    returning o.rollout_id`;
  return rows.map((row) => row.rolloutId);
}
