import type { Config } from '../platform/config/config';
import type { Sql } from '../platform/db/client';
import { newId, type UserId } from '../platform/ids';
import type { Waker } from '../platform/queue/waker';
import { menuPublicationWorkflow } from '../uploads/queue';
import type { PublicationKey } from '../uploads/sql/publications';
import { integrationRefusal } from '../uploads/usable-integration';
import { describeCounts, type RolloutState } from './rollout';
import {
  endRevert,
  insertRevertUpload,
  listNextReverts,
  type RevertEnd,
  type RevertTarget,
  skipNotLive,
} from './sql/rollout-reverts';
import {
  cancelHeld,
  claimRollout,
  countTargets,
  endRollout,
  listNextTargets,
  type NextTarget,
  refuseTarget,
  releaseUploads,
  restRollout,
  type RevertProgress,
  type TargetProgress,
  stopRollout,
} from './sql/rollout-targets';
import type { RolloutId } from './sql/rollouts';

export interface RolloutDeps {
  readonly sql: Sql;
  readonly waker: Waker;
  readonly settings: Pick<Config, 'APP_D'>;
}

/** The result of one look at a rollout. */
export interface RolloutStep {
  readonly state: RolloutState;
  /** Who started the rollout. */
  readonly userId: UserId;
  /** The progress, for people. */
  readonly summary: string;
  /**
   * No target is active and none has started: all remaining ones wait for apps that are away, or for people there.
   */
  readonly isQuiet: boolean;
  /** Set if there was nothing to do: while the rollout has this sign, there still is nothing. */
  readonly idleSign: string | null;
}

/**
 * Does what a rollout needs next: starts as many targets as there are free permits, stops after failures, ends it.
 * Every statement may run twice, because a frozen worker may come back. Undefined = there is no such rollout. `last`:
 * the step before, which is repeated without counting the targets if nothing has changed since.
 */
export async function advanceRollout(
  deps: RolloutDeps,
  rolloutId: RolloutId,
  last?: RolloutStep,
): Promise<RolloutStep | undefined> {
  const claimed = await claimRollout(deps.sql, rolloutId);
  if (!claimed) return undefined;
  if (last?.idleSign === claimed.sign) return last;
  const progress = await countTargets(deps.sql, rolloutId, claimed);
  const { state, counts, atWork } = progress;
  let taken = 0;
  switch (progress.state) {
    case 'running':
      taken = await advanceTargets(deps, rolloutId, progress);
      break;
    case 'reverting':
      taken = await advanceRevert(deps, rolloutId, progress);
      break;
    case 'done':
    case 'stopped':
    case 'canceled':
    case 'reverted':
      await restRollout(deps.sql, rolloutId, progress.state);
  }
  return {
    state,
    userId: claimed.userId,
    summary: describeCounts(counts),
    isQuiet: atWork + taken === 0,
    idleSign: taken === 0 ? claimed.sign : null,
  };
}

/** Returns how many targets started, were refused or were canceled. */
async function advanceTargets(
  deps: RolloutDeps,
  rolloutId: RolloutId,
  progress: TargetProgress,
): Promise<number> {
  const { sql } = deps;
  const { counts, atWork, parallel, stopAfterFailures, menuCount, endsAs } = progress;
  const hasFailedTooOften = stopAfterFailures > 0 && counts.failed >= stopAfterFailures;
  const stopsNow = endsAs === null && hasFailedTooOften;
  if (stopsNow) await stopRollout(sql, rolloutId);
  if (counts.waiting > 0 && (stopsNow || endsAs !== null)) {
    await cancelHeld(sql, rolloutId);
    return counts.waiting;
  }
  if (counts.waiting > 0) {
    // More than `parallel` are active when a target that gave up its permit is retried.
    const next = await listNextTargets(sql, rolloutId, Math.max(0, parallel - atWork));
    await beginTargets(deps, next, menuCount);
    return next.length;
  }
  if (counts.queued + counts.running === 0) {
    await endRollout(sql, rolloutId, progress);
  }
  return 0;
}

async function beginTargets(
  { sql, waker, settings }: RolloutDeps,
  targets: readonly NextTarget[],
  menuCount: number,
): Promise<void> {
  const begun: NextTarget[] = [];
  for (const target of targets) {
    const refusal = refusalOf(target, menuCount, settings);
    if (refusal === undefined) begun.push(target);
    else await refuseTarget(sql, target, refusal);
  }
  if (begun.length === 0) return;
  const released = await releaseUploads(
    sql,
    begun.map(({ uploadId }) => uploadId),
  );
  await Promise.all(released.map((key) => waker.wake(menuPublicationWorkflow, key, false)));
}

function refusalOf(
  { storeIsDeleted, isAllowed, connection }: NextTarget,
  menuCount: number,
  settings: RolloutDeps['settings'],
): string | undefined {
  if (storeIsDeleted) return 'The store was not found.';
  if (!isAllowed) return "You don't have this store available.";
  return integrationRefusal(connection ?? undefined, settings, menuCount);
}

/** Returns how many targets started to be reverted, or were found not to be. */
async function advanceRevert(
  deps: RolloutDeps,
  rolloutId: RolloutId,
  progress: RevertProgress,
): Promise<number> {
  const { sql, waker } = deps;
  const { counts, atWork, parallel } = progress;
  const skipped = await skipNotLive(sql, rolloutId);
  const next = await listNextReverts(sql, rolloutId, Math.max(0, parallel - atWork));
  const begun: PublicationKey[] = [];
  for (const target of next) {
    const end = revertEndOf(target, deps.settings);
    if (end !== undefined) {
      await endRevert(sql, rolloutId, target.position, end);
    } else {
      await insertRevertUpload(sql, rolloutId, target, newId('upl'));
      const { storeId, integrationId } = target;
      begun.push({ storeId, integrationId });
    }
  }
  // Together, because each takes seconds while Temporal is away, and all of them must end within the step.
  await Promise.all(begun.map((key) => waker.wake(menuPublicationWorkflow, key, false)));
  if (next.length === 0 && counts.waiting === 0) await endRollout(sql, rolloutId, progress);
  return next.length + skipped;
}

/** Why the target is not reverted; undefined = its earlier menu is published again. */
function revertEndOf(
  { isLive, previousUploadId, storeIsDeleted, connection }: RevertTarget,
  settings: RolloutDeps['settings'],
): RevertEnd | undefined {
  if (!isLive) return 'not_live';
  if (previousUploadId === null) return 'without_previous';
  // The number of menus does not matter, because the app has shown them before.
  const refused = storeIsDeleted || integrationRefusal(connection, settings, 1) !== undefined;
  return refused ? 'failed' : undefined;
}
