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
import type { WorkflowKind } from '../platform/queue/workflow-kind';
import { takeOverduePublications } from './sql/overdue-publications';

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

  takeOverdue: takeOverduePublications,
};
