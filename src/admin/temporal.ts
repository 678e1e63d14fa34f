import { msToTs } from '@temporalio/common/lib/time';
import { SEARCH_ATTRIBUTES } from '../platform/temporal/workflow-names';
import type { AdminDeps } from './admin-deps';

/** How long finished runs stay visible. The uploads themselves are in Postgres. */
const RETENTION_MS = 7 * 86_400_000;
const ALREADY_EXISTS = 6;

/** Creates what workers need in a Temporal cluster: the namespace, and the search attributes of our workflows. */
export async function setUpTemporal({ temporal }: Pick<AdminDeps, 'temporal'>) {
  const namespace = temporal.options.namespace;
  const created = await unlessThere(
    temporal.workflowService.registerNamespace({
      namespace,
      workflowExecutionRetentionPeriod: msToTs(RETENTION_MS),
    }),
  );
  const names = Object.values(SEARCH_ATTRIBUTES);
  const { customAttributes } = await temporal.connection.operatorService.listSearchAttributes({
    namespace,
  });
  const missing = names.filter((name) => !(name in customAttributes));
  if (missing.length > 0) {
    await temporal.connection.operatorService.addSearchAttributes({
      namespace,
      searchAttributes: Object.fromEntries(missing.map((name) => [name, KEYWORD])),
    });
  }
  return { namespace, namespace_created: created, search_attributes_added: missing };
}

/** temporal.api.enums.v1.IndexedValueType.INDEXED_VALUE_TYPE_KEYWORD */
const KEYWORD = 2;

async function unlessThere(creation: Promise<unknown>): Promise<boolean> {
  try {
    await creation;
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === ALREADY_EXISTS) return false;
    throw error;
  }
}
