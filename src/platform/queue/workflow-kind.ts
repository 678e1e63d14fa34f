import type { TypedSearchAttributes } from '@temporalio/common';
import type { PendingQuery, Row } from 'postgres';
import type { Sql } from '../db/client';

/*
 * One pattern for all deferred work:
 *
 *   row       the queue entry; a request is accepted when its row is committed
 *   workflow  a Temporal workflow that claims the rows of one key, acts, and records what came of it
 *   alive     until `alive_until` the workflow has promised to look at its rows again unprompted
 *   nudge     a wake signal that starts a workflow that is not alive
 *   wait      a caller that wants the outcome waits on the row, in its own process
 *   sweep     nudges keys whose rows are overdue and whose workflow is not alive
 *
 * Postgres holds every fact and Temporal holds progress, so a lost nudge costs time, never a row.
 */

/** One kind of workflow: how its keys look in Postgres and in Temporal. */
export interface WorkflowKind<Key> {
  readonly name: 'menu' | 'availability' | 'rollout' | 'check' | 'webhooks';
  readonly taskQueue: string;
  readonly workflowType: string;
  /** The key as one string: equal keys, equal texts. */
  keyText(key: Key): string;
  workflowId(key: Key): string;
  workflowInput(key: Key): unknown;
  searchAttributes(key: Key): TypedSearchAttributes;
  /** Up to `limit` keys with rows overdue by more than 30 s whose workflow is not alive; each is marked as swept. */
  takeOverdue(sql: Sql, limit: number): Promise<Key[]>;
}

/**
 * When a key that is being swept may be swept again: after 30 s, doubling to 1 h, by the column that counts its sweeps
 * since its last claim.
 */
export function nextSweepAt(sql: Sql, sweeps = sql`sweeps`): PendingQuery<Row[]> {
  return sql`now() + least(30 * power(2, least(${sweeps}, 7)), 3600) * interval '1 s'`;
}
