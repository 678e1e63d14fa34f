import type { PendingQuery, Row } from 'postgres';
import type { HeardAnswer } from '../../delivery-apps/listening-client';
import type { StepState, UploadStep } from '../upload';
import type { Sql, Transaction } from '../../platform/db/client';

/** A step that starts (`running`) or ends. */
export interface StepRow {
  readonly name: UploadStep;
  readonly state: StepState;
  readonly startedAt: Date;
  /** The app's answer that made it fail. */
  readonly answer?: HeardAnswer | null;
}

/**
 * Writes steps of the upload that the statement's query `changed` returns (by `upload_id`), if any. `attempts` counts
 * starts, distinguished by `startedAt`.
 */
export function writeSteps(sql: Sql, steps: readonly StepRow[]): PendingQuery<Row[]> {
  const rows = steps.map(({ name, state, startedAt, answer = null }) => ({
    name,
    state,
    started_at: startedAt,
    answer: state === 'failed' ? answer : null,
  }));
  return sql`
    insert into upload_step as s (upload_id, name, state, attempts, started_at, finished_at, answer)
    select c.upload_id, n.name, n.state, case n.state when 'skipped' then 0 else 1 end, n.started_at,
      case when n.state in ('done', 'failed', 'skipped') then now() end, n.answer
    from changed c, json_to_recordset(${JSON.stringify(rows)}::text::json)
      as n (name text, state text, started_at timestamptz, answer json)
    on conflict (upload_id, name) do update set state = excluded.state,
      attempts = s.attempts
        + case when s.started_at is distinct from excluded.started_at then excluded.attempts else 0 end,
      started_at = excluded.started_at, finished_at = excluded.finished_at,
      answer = excluded.answer`;
}

/**
 * Ends the steps that the ended uploads in `ended` (a query with the column `upload_id`) had begun or planned, for the
 * statement that ends them: no attempt will. `written`: those that this statement writes itself.
 */
export function skipOpenSteps(
  sql: Sql | Transaction,
  ended: PendingQuery<Row[]>,
  written: readonly StepRow[] = [],
): PendingQuery<Row[]> {
  return sql`
    update upload_step s set state = 'skipped', finished_at = now() from (${ended}) as ended
    where s.upload_id = ended.upload_id and s.state in ('pending', 'running')
      and s.name <> all(${written.map(({ name }) => name)}::text[])`;
}
