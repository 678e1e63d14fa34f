import type { Config } from '../config/config';
import { menuPublicationId } from './workflow-names';
import type { Sql } from '../db/client';

type Settings = Pick<Config, 'TEMPORAL_UI_URL' | 'TEMPORAL_NAMESPACE'>;

/** The address of a workflow's page in the Temporal UI, up to its id; null if there is no UI. */
export function traceBase({ TEMPORAL_UI_URL, TEMPORAL_NAMESPACE }: Settings): string | null {
  if (TEMPORAL_UI_URL === null) return null;
  return `${TEMPORAL_UI_URL.replace(/\/$/, '')}/namespaces/${TEMPORAL_NAMESPACE}/workflows/`;
}

interface TracedUpload {
  readonly storeId: number;
  readonly integrationId: number;
  readonly runId: string | null;
}

/** The address of an upload's run. In events, the database function `upload_facts` writes the same address. */
export function traceUrl(upload: TracedUpload, settings: Settings): string | null {
  const base = traceBase(settings);
  if (base === null || upload.runId === null) return null;
  const workflowId = menuPublicationId(upload.storeId, upload.integrationId);
  return `${base}${encodeURIComponent(workflowId)}/${upload.runId}/history`;
}

/** The address of a workflow's latest run; null if there is no UI. */
export function workflowUrl(workflowId: string, settings: Settings): string | null {
  const base = traceBase(settings);
  return base && `${base}${encodeURIComponent(workflowId)}`;
}

/** Stores the address of runs, for events written by the database; null: none. See `traceBase`. */
export async function keepTraceBase(sql: Sql, url: string | null): Promise<void> {
  await sql`update trace_base set url = ${url} where url is distinct from ${url}`;
}
