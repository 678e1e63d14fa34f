import type { Config } from '../config/config';
import { menuPublicationId } from './workflow-names';
import type { Sql } from '../db/client';

type Settings = Pick<Config, 'TEMPORAL_UI_URL' | 'TEMPORAL_NAMESPACE'>;

/** What stands before a workflow's id in the address of its page in the Temporal UI; null where there is none. */
export function traceBase({ TEMPORAL_UI_URL, TEMPORAL_NAMESPACE }: Settings): string | null {
  if (TEMPORAL_UI_URL === null) return null;
  return `${TEMPORAL_UI_URL.replace(/\/$/, '')}/namespaces/${TEMPORAL_NAMESPACE}/workflows/`;
}

interface TracedUpload {
  readonly storeId: number;
  readonly integrationId: number;
  readonly runId: string | null;
}

/** Where the run of an upload is looked at. Events are given the same address by `upload_facts` in the database. */
export function traceUrl(upload: TracedUpload, settings: Settings): string | null {
  const base = traceBase(settings);
  if (base === null || upload.runId === null) return null;
  const workflowId = menuPublicationId(upload.storeId, upload.integrationId);
  return `${base}${encodeURIComponent(workflowId)}/${upload.runId}/history`;
}

/** Keeps where runs are looked at, for the events that the database writes; null: nowhere. See `traceBase`. */
export async function keepTraceBase(sql: Sql, url: string | null): Promise<void> {
  await sql`update trace_base set url = ${url} where url is distinct from ${url}`;
}
