import type { PendingQuery, Row } from 'postgres';
import type { TypedSearchAttributes } from '@temporalio/common';
import type { Sql } from '../db/client';

/*
 * One pattern carries everything that happens later:
 *
 *   row       the queue entry; a request is accepted when its row is committed
 *   entity    a long-lived workflow that claims the rows of one key, acts, and records what came of it
 *   alive     until `alive_until` the entity has promised to look at its rows again without being told
 *   nudge     a wake signal to an entity that is not alive (starting it if need be), or a NOTIFY to one that is
 *   wait      a caller that wants the outcome waits on the row, in its own process
 *   sweep     nudges keys whose rows are overdue although nobody is at work on them
 *
 * Postgres holds every fact, Temporal holds progress; so losing a nudge costs time and never a row.
 */

/** One kind of entity: how its keys look in Postgres and in Temporal. */
export interface EntityKind<Key> {
  readonly name: 'menu' | 'webhooks';
  readonly taskQueue: string;
  readonly workflowType: string;
  readonly table: 'publication' | 'subscription';
  /** The key as one string: equal keys, equal texts. */
  keyText(key: Key): string;
  workflowId(key: Key): string;
  workflowInput(key: Key): unknown;
  searchAttributes(key: Key): TypedSearchAttributes;
  /** `where` condition that selects the key's row in `table`. */
  isKey(sql: Sql, key: Key): PendingQuery<Row[]>;
  /** Whether a row of this key could be claimed now or waits for its time. */
  hasRows(sql: Sql, key: Key): Promise<boolean>;
  /** Up to `limit` keys with rows overdue by more than 30 s that nobody is alive for; each is marked as swept. */
  takeOverdue(sql: Sql, limit: number): Promise<Key[]>;
  /**
   * How long after taking back the promise an insert may still be under way that saw it, ms.
   * 0 where the insert takes the lock of the entity's row, so that no such insert can exist.
   */
  readonly settleMs: number;
  /** The NOTIFY channel on which a working entity listens; null where it looks again by itself. */
  readonly wakeChannel: string | null;
}
