import type { Sql } from '../platform/db/client';
import type { RolloutState } from '../rollouts/rollout';

export interface RolloutCount {
  readonly state: RolloutState;
  readonly count: number;
}

/** How many rollouts are under way, and how many ended within the last hour: both by an index. */
export async function countRollouts(sql: Sql): Promise<RolloutCount[]> {
  return sql<RolloutCount[]>`
    select state, count(*)::int as count from rollout
    where state in ('running', 'reverting') group by state
    union all
    select state, count(*)::int from rollout
    where finished_at > now() - interval '1 hour' group by state`;
}
