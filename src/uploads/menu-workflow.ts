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
export const menuWorkflow: WorkflowKind<PublicationKey> = {
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
      update publication p set sweeps = sweeps + 1,
        next_sweep_at = ${nextSweepAt(sql)}
      where (store_id, integration_id) in (
        select p.store_id, p.integration_id from publication p
        where p.next_sweep_at <= now() and (p.alive_until is null or p.alive_until <= now())
          and exists (
            select from menu_upload u
            where u.store_id = p.store_id and u.integration_id = p.integration_id
              and u.state in ('queued', 'running') and not u.held
              and greatest(u.next_attempt_at, u.created_at, u.released_at,
                case when p.slot_upload_id <> u.upload_id
                  then greatest(p.slot_until, p.slot_settles_until) end) < now() - interval '30 s')
        limit ${limit} for update skip locked)
      returning store_id, integration_id`;
  },
};
