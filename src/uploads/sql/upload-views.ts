import type { PendingQuery, Row } from 'postgres';
import type { Viewer } from '../../users/sql/users';
import type { HeardAnswer } from '../../delivery-apps/listening-client';
import type { LossCounts } from '../../delivery-apps/losses';
import type { Loss } from '../../delivery-apps/types';
import type { StepState, UploadState, UploadStep } from '../upload';
import type { UploadId, UserId } from '../../platform/ids';
import type { Sql } from '../../platform/db/client';

/** The fields of an upload in a list; losses and steps are many, and appear only at its own URL. */
export interface UploadSummary {
  readonly uploadId: UploadId;
  readonly storeId: number;
  readonly integrationId: number;
  readonly app: string;
  readonly state: UploadState;
  readonly createdAt: Date;
  readonly finishedAt: Date | null;
  readonly nextAttemptAt: Date | null;
  readonly runId: string | null;
  /** The upload whose menu was published again. */
  readonly republishedFrom: string | null;
  /** The upload whose menu was changed in single items. */
  readonly changedFrom: string | null;
  /** The rollout that it belongs to. */
  readonly rolloutId: string | null;
  /** Who sent it. */
  readonly userId: UserId;
  /** The request that made it. */
  readonly requestId: string;
  readonly messages: readonly string[];
  readonly lossCounts: LossCounts;
}

export interface UploadView extends UploadSummary {
  readonly losses: readonly Loss[];
  readonly steps: readonly UploadStepView[];
}

export interface UploadStepView {
  readonly name: UploadStep;
  readonly state: StepState;
  readonly attempts: number;
  readonly started_at: string | null;
  readonly finished_at: string | null;
  /** Set for a step that failed because of the app's answer. */
  readonly answer: HeardAnswer | null;
}

/** An upload with its losses and steps, if the viewer has its store. */
export async function findUpload(
  sql: Sql,
  viewer: Viewer,
  uploadId: UploadId,
): Promise<UploadView | undefined> {
  const [row] = await sql<UploadView[]>`
    select ${summaryColumns(sql)}, u.losses,
      (select coalesce(json_agg(json_build_object('name', s.name, 'state', s.state,
          'attempts', s.attempts, 'started_at', s.started_at, 'finished_at', s.finished_at,
          'answer', s.answer)), '[]')
        from upload_step s where s.upload_id = u.upload_id) as steps
    from menu_upload u join integration i using (integration_id)
    where u.upload_id = ${uploadId} and ${isVisible(sql, viewer)}`;
  return row;
}

/** The columns of a summary, of upload `u` and its integration `i`. */
export function summaryColumns(sql: Sql): PendingQuery<Row[]> {
  return sql`u.upload_id, u.store_id, u.integration_id, i.app, u.state, u.created_at, u.finished_at,
    u.next_attempt_at, u.user_id, u.request_id, u.run_id, u.republished_from, u.changed_from, u.rollout_id, u.messages, u.loss_counts`;
}

/** A condition on upload `u`, or on another row with a store: the viewer has that. */
export function isVisible(
  sql: Sql,
  viewer: Viewer,
  storeId = sql`u.store_id`,
): PendingQuery<Row[]> {
  return sql`(${viewer.seesAll}::boolean or exists (
    select from user_store us where us.store_id = ${storeId} and us.user_id = ${viewer.userId}))`;
}
