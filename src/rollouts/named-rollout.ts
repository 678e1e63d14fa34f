import type { RequestContext } from '../http/state';
import type { Refusal } from '../contract/answers';
import type { Sql } from '../platform/db/client';
import { AppError } from '../platform/errors';
import { isId } from '../platform/ids';
import { findToActOn, viewerOf } from '../users/guards';
import { findRollout, type RolloutView } from './sql/rollouts';

export const ROLLOUT_MISSING: Refusal = {
  status: 404,
  when: 'It is unknown, or another user started it.',
  sentences: ['The rollout was not found.'],
};

/** The rollout named in a path; throws the 404 if there is none, or another user started it. */
export async function findNamedRollout(
  sql: Sql,
  ctx: RequestContext,
  rolloutId: string,
): Promise<RolloutView> {
  const rollout = isId('rol', rolloutId)
    ? await findRollout(sql, viewerOf(ctx.state.caller), rolloutId)
    : undefined;
  if (!rollout) throw rolloutNotFound();
  return rollout;
}

/** The same of a rollout on which the caller acts; throws the 403 if they only see it. */
export async function findOwnRollout(
  sql: Sql,
  { state: { caller } }: RequestContext,
  rolloutId: string,
): Promise<RolloutView> {
  const rollout = isId('rol', rolloutId)
    ? await findToActOn(caller, (viewer) => findRollout(sql, viewer, rolloutId))
    : undefined;
  if (!rollout) throw rolloutNotFound();
  return rollout;
}

function rolloutNotFound(): AppError {
  return new AppError('not_found', 'The rollout was not found.');
}

export function statusUrlOf(rolloutId: string): string {
  return `/api/v1/menus/rollouts/${rolloutId}`;
}

/** A rollout as the API returns it. */
export function renderRollout(rollout: RolloutView) {
  return {
    rollout_id: rollout.rolloutId,
    state: rollout.state,
    parallel: rollout.parallel,
    stop_after_failures: rollout.stopAfterFailures,
    created_at: rollout.createdAt,
    finished_at: rollout.finishedAt,
    counts: rollout.counts,
    revert: rollout.revert,
  };
}
