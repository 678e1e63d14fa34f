import type { TypedSearchAttributes } from '@temporalio/common';
import type { Sql } from '../db/client';

/*
 * One pattern for all deferred work:
 *
 *   row       the queue entry; a request is accepted when its row is committed
 *   workflow  a Temporal workflow that claims the rows of one key, acts, and records what came of it
 *   lease     until `lease_until` the workflow looks at its rows again unprompted (`lease.ts`)
 *   wake      a signal that starts the workflow of a key without a lease
 *   wait      a caller that wants the outcome waits on the row, in its own process
 *   sweep     wakes keys whose rows are overdue and whose workflow has no lease
 *
 * Postgres holds every fact and Temporal holds progress, so a lost wake costs time, never a row.
 */

export const SWEPT_KINDS = ['menu', 'availability', 'rollout', 'check', 'webhooks'] as const;
export type SweptKind = (typeof SWEPT_KINDS)[number];

/** One kind of workflow: how its keys look in Postgres and in Temporal. */
export interface WorkflowKind<Key> {
  readonly name: SweptKind;
  readonly taskQueue: string;
  readonly workflowType: string;
  /** The key as one string: equal keys, equal texts. */
  keyText(key: Key): string;
  workflowId(key: Key): string;
  workflowInput(key: Key): unknown;
  searchAttributes(key: Key): TypedSearchAttributes;
  /** Up to `limit` keys with rows overdue by more than 30 s without a lease; each is marked as swept. */
  takeOverdue(sql: Sql, limit: number): Promise<Key[]>;
}
