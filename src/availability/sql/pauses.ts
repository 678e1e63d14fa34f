import { endChanges, endStoreChanges } from './changes';
import { afterFailedCall, clearRetry, type QueueClaim } from './calls';
import type { WaitingReason } from '../../contract/why-it-waits';
import { cleanReason } from '../../uploads/upload-verdict';
import { giveUpChanges } from './give-up';
import { recordMayBePaused } from './marks';
import type { Sql } from '../../platform/db/client';

/** A pause, or its end, that the app must be told. */
export interface DuePause {
  readonly changeId: string;
  readonly paused: boolean;
  readonly until: Date | null;
  readonly reason: string | null;
  /** Whether a call about it was begun before, so the app may have acted. */
  readonly wasTried: boolean;
}

/**
 * The waiting pause of a queue; undefined = there is none, its `until` has passed, which the next claim ends, or
 * another claim has taken over.
 */
export async function takePause(
  sql: Sql,
  { storeId, integrationId, claimNo }: QueueClaim,
): Promise<DuePause | undefined> {
  const [row] = await sql<DuePause[]>`
    with waiting as (
      select c.change_id, c.tried from availability_change c, availability_queue q
      where c.store_id = ${storeId}::bigint and c.integration_id = ${integrationId}::bigint
        and c.kind = 'pause' and c.state in ('queued', 'running')
        and (not c.paused or coalesce(c.until > now(), true))
        and q.store_id = c.store_id and q.integration_id = c.integration_id
        and q.claim_no = ${claimNo}::bigint
    )
    update availability_change c set tried = true from waiting w
    where c.change_id = w.change_id and c.state in ('queued', 'running')
    returning c.change_id, c.paused, c.until, c.reason, w.tried as was_tried`;
  return row;
}

/** Ends the pause from `takePause`, or the end of one, unless a newer one replaced it. */
export async function recordPause(
  sql: Sql,
  claim: QueueClaim,
  changeId: string,
  state: 'done' | 'failed',
  messages: readonly string[],
): Promise<void> {
  await sql.begin(async (tx) => {
    if (!(await clearRetry(tx, claim))) return;
    if (state === 'done') await recordMayBePaused(tx, claim, changeId);
    await endStoreChanges(tx, claim, { kind: 'pause', state, messages, changeId });
  });
}

/** What the last call for a queue said; `afterMs`: how long the app asked to wait. */
export interface LastFailure {
  readonly reason: string;
  readonly waits?: WaitingReason;
  readonly afterMs: number | null;
}

/** How long a queue keeps trying, and when it tries again. */
export interface QueuePatience {
  /** An older change ends `failed`, ms. */
  readonly giveUpAfterMs: number;
  /** The delay before the round with this number (1-based), ms. */
  readonly delayMs: (round: number) => number;
}

/**
 * Puts a queue back to wait, as long as the app asks or as planned. Changes that have waited too long end `failed`
 * with the reason; for those of our own making, the time when the integration could not be called does not count.
 */
export async function postponeQueue(
  sql: Sql,
  claim: QueueClaim,
  { reason, waits = 'app_unavailable', afterMs }: LastFailure,
  { giveUpAfterMs, delayMs }: QueuePatience,
): Promise<void> {
  const { storeId, integrationId, claimNo } = claim;
  await sql.begin(async (tx) => {
    const [queue] = await tx<{ failuresInARow: number; unusableAt: Date | null }[]>`
      update availability_queue q set rounds = q.rounds + 1, next_try_at = null,
        ${afterFailedCall(tx, { reason: cleanReason(reason), waits })}
      where store_id = ${storeId}::bigint and integration_id = ${integrationId}::bigint
        and claim_no = ${claimNo}::bigint
      returning rounds as failures_in_a_row, unusable_at`;
    if (!queue) return;
    const ms = Math.max(delayMs(queue.failuresInARow), afterMs ?? 0);
    await tx`
      update availability_queue set retry_is_asked = ${afterMs !== null}::boolean,
        retry_at = now() + ${ms}::int * interval '1 ms'
      where store_id = ${storeId}::bigint and integration_id = ${integrationId}::bigint`;
    const since = tx`
      case when c.cause = 'api' then c.created_at
        else greatest(c.created_at, ${queue.unusableAt}::timestamptz) end`;
    const isTooOld = tx`
      ${since} < now() - (${giveUpAfterMs}::float8 - ${ms}::float8) * interval '1 ms'`;
    await giveUpChanges(tx, claim, isTooOld, reason);
    await endChanges(tx, claim);
  });
}
