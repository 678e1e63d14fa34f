import type { ChangeWait } from '../../contract/why-it-waits';
import type { AppName } from '../../delivery-apps/types';
import { keysOfIntegration, keysOfStore } from '../../delivery-apps/tokens/app-access';
import type { ChangeId } from '../../platform/ids';
import type { Sql } from '../../platform/db/client';
import { isLeased } from '../../platform/queue/lease';

export type ChangeWaitFacts = Omit<ChangeWait, 'isTokenBeingFetched'> & {
  readonly changeId: ChangeId;
  readonly storeId: number;
  readonly integrationId: number;
  readonly app: AppName;
};

/** The facts about why these changes wait; those that have ended are left out. */
export async function findChangeWaits(
  sql: Sql,
  changeIds: readonly ChangeId[],
): Promise<ChangeWaitFacts[]> {
  return sql<ChangeWaitFacts[]>`
    select c.change_id, c.store_id, c.integration_id, i.app, now() as now, c.created_at, c.due_at,
      ${isLeased(sql, sql`q.`)} as is_leased,
      coalesce(i.active and i.base_url is not null and i.client_id is not null
        and i.client_secret_encrypted is not null and r.credential_encrypted is not null
        and r.delivery_id is not null, false) as is_usable,
      q.retry_at, q.next_try_at, q.wait_reason, q.wait_words as words, q.waiting_since, q.failed_tries,
      coalesce(p.push_until > now(), false) as is_push_under_way,
      coalesce(p.call_until > now(), false) as is_call_under_way,
      case when c.kind = 'items' then q.next_call_at end as next_call_at
    from availability_change c
      join availability_queue q using (store_id, integration_id)
      join integration i using (integration_id)
      left join store_integration r using (store_id, integration_id)
      left join publication p using (store_id, integration_id)
    where c.change_id = any(${[...changeIds]}::text[]) and c.state in ('queued', 'running')`;
}

/** Of these stores and integrations those, as `store/integration`, one of whose tokens is being fetched. */
export async function findTokensBeingFetched(
  sql: Sql,
  queues: readonly Pick<ChangeWaitFacts, 'storeId' | 'integrationId'>[],
): Promise<ReadonlySet<string>> {
  const keys = queues.flatMap(({ storeId, integrationId }) =>
    [...keysOfStore(storeId, integrationId), ...keysOfIntegration(integrationId)].map((key) => ({
      queue: `${storeId}/${integrationId}`,
      key,
    })),
  );
  const rows = await sql<{ queue: string }[]>`
    select k.queue from unnest(
      ${keys.map(({ queue }) => queue)}::text[], ${keys.map(({ key }) => key)}::text[]) as k (queue, key)
    join app_token t on t.credential_key = k.key
    where t.refresh_until > now()`;
  return new Set(rows.map(({ queue }) => queue));
}
