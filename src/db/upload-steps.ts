import type { HeardAnswer } from '../delivery-apps/heard-answer';
import type { StepState, UploadStep } from '../domain/upload';
import type { UploadId } from '../ids';
import type { Sql } from './client';

/** A step of the running attempt begins, or ends when `state` says so. `attempts` counts beginnings. */
export async function recordStep(
  sql: Sql,
  uploadId: UploadId,
  attemptNo: number,
  step: UploadStep,
  state: StepState,
  startedAt: Date,
  answer: HeardAnswer | null = null,
): Promise<void> {
  const ended = state === 'done' || state === 'failed' || state === 'skipped';
  await sql`
    insert into upload_step as s (upload_id, name, state, attempts, started_at, finished_at, answer)
    select upload_id, ${step}, ${state}, ${state === 'skipped' ? 0 : 1}::int, ${startedAt}::timestamptz,
      case when ${ended}::boolean then now() end, ${answer && JSON.stringify(answer)}::text::json
    from menu_upload
    where upload_id = ${uploadId} and attempt_no = ${attemptNo} and state = 'running'
    on conflict (upload_id, name) do update set state = excluded.state,
      attempts = s.attempts
        + case when s.started_at is distinct from excluded.started_at then excluded.attempts else 0 end,
      started_at = excluded.started_at, finished_at = excluded.finished_at,
      answer = excluded.answer`;
}
