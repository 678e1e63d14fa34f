import type { UploadId } from '../platform/ids';
import type { Sql } from '../platform/db/client';
import type { Reachability } from '../platform/temporal/reachability';
import { type WaitingFor, whyUploadWaits } from '../contract/why-it-waits';
import { findUploadWaits } from './sql/upload-wait-facts';
import { isFinal, type UploadState } from './upload';

export interface WaitingDeps {
  readonly sql: Sql;
  readonly temporal: Pick<Reachability, 'isReachable'>;
}

/** An upload in a list. */
interface Listed {
  readonly uploadId: UploadId | null;
  readonly state: string;
}

/** Why each of these waits that has not ended and waits. Ended ones cost nothing. */
export async function whyUploadsWait(
  { sql, temporal }: WaitingDeps,
  uploads: readonly Listed[],
): Promise<ReadonlyMap<UploadId | null, WaitingFor>> {
  const open = uploads.flatMap(({ uploadId, state }) =>
    uploadId === null || isFinal(state as UploadState) ? [] : [uploadId],
  );
  if (open.length === 0) return new Map();
  const facts = await findUploadWaits(sql, open);
  const surroundings = { isTemporalAway: !temporal.isReachable() };
  return new Map(
    facts.flatMap((each) => {
      const waits = whyUploadWaits(each, surroundings);
      return waits ? [[each.uploadId, waits] as const] : [];
    }),
  );
}
