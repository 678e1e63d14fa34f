import type { Sql } from '../../platform/db/client';
import type { UserId } from '../../platform/ids';

/** The most of each kind, the newest: somebody of a help desk has few of their own. */
const MOST = 1_000;

/** The user's stores, systems and rollouts, each as its kind and its id: `store 7`. */
export async function listOwnThings(sql: Sql, userId: UserId): Promise<string[]> {
  const rows = await sql<{ thing: string }[]>`
    (select 'store ' || store_id as thing from user_store where user_id = ${userId}
      order by store_id desc limit ${MOST})
    union all
    (select 'system ' || inventory_system_id from inventory_system
      where created_by = ${userId} and deleted_at is null order by created_at desc limit ${MOST})
    union all
    (select 'rollout ' || rollout_id from rollout where user_id = ${userId}
      order by rollout_id desc limit ${MOST})`;
  return rows.map(({ thing }) => thing);
}
