import {
  defineSearchAttributeKey,
  SearchAttributeType,
  TypedSearchAttributes,
} from '@temporalio/common';
import type { PublicationKey } from './sql/publications';
import {
  MENU_PUBLICATION,
  menuPublicationId,
  SEARCH_ATTRIBUTES,
  TASK_QUEUES,
} from '../platform/temporal/workflow-names';
import { nextSweepAt, type WorkflowKind } from '../platform/queue/workflow-kind';

const storeIdKey = defineSearchAttributeKey(SEARCH_ATTRIBUTES.storeId, SearchAttributeType.KEYWORD);
const integrationIdKey = defineSearchAttributeKey(
  SEARCH_ATTRIBUTES.integrationId,
  SearchAttributeType.KEYWORD,
);

/** Menu uploads: one workflow per store and integration. */
export const menuPublicationWorkflow: WorkflowKind<PublicationKey> = {
  name: 'menu',
  taskQueue: TASK_QUEUES.menus,
  workflowType: MENU_PUBLICATION,
  keyText: (key) => `${key.storeId}/${key.integrationId}`,
  workflowId: (key) => menuPublicationId(key.storeId, key.integrationId),
  workflowInput: ({ storeId, integrationId }) => ({ storeId, integrationId }),
  searchAttributes: (key) =>
    new TypedSearchAttributes([
      { key: storeIdKey, value: String(key.storeId) },
      { key: integrationIdKey, value: String(key.integrationId) },
    ]),

  async takeOverdue(sql, limit) {
    return sql<PublicationKey[]>`
      -- From what waits, along menu_upload_due: nearly all publications are at rest.
      with due as materialized (
        select distinct u.store_id, u.integration_id from menu_upload u
        where u.state in ('queued', 'running') and not u.held
          and coalesce(u.next_attempt_at, u.created_at) < now() - interval '30 s'
      ), overdue as (
        select o.store_id, o.integration_id from due d cross join lateral (
          select p.store_id, p.integration_id from publication p
          where p.store_id = d.store_id and p.integration_id = d.integration_id
            and p.next_sweep_at <= now() and (p.alive_until is null or p.alive_until <= now())
            and exists (
              select from menu_upload u
              where u.store_id = p.store_id and u.integration_id = p.integration_id
                and u.state in ('queued', 'running') and not u.held
                and greatest(u.next_attempt_at, u.created_at, u.released_at,
                  case when p.slot_upload_id <> u.upload_id
                    then greatest(p.slot_until, p.slot_settles_until) end) < now() - interval '30 s')
          for update skip locked) as o
        limit ${limit}
      )
      update publication p set sweeps = sweeps + 1,
        next_sweep_at = ${nextSweepAt(sql)}
      from overdue o where p.store_id = o.store_id and p.integration_id = o.integration_id
      returning p.store_id, p.integration_id`;
  },
};
