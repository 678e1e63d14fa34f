import { keyLost } from '../../http/idempotency-key-lost';
import { emptyBody } from '../../http/body/request-body';
import { noQuery, type Route, route, token } from '../../http/route';
import { bindKey } from '../../http/sql/idempotency';
import type { RequestContext } from '../../http/state';
import { answerOf, ref } from '../../contract/answer-schemas';
import { ROLLOUT_ID, ROLLOUT_VIEW } from '../../contract/examples';
import { AppError } from '../../platform/errors';
import type { AcceptRolloutDeps } from '../accept-rollout';
import { findOwnRollout, renderRollout, ROLLOUT_MISSING, statusUrlOf } from '../named-rollout';
import { menuRolloutWorkflow } from '../queue';
import { beginRevert, cancelRollout, type RolloutId } from '../sql/rollouts';

export type RolloutActionDeps = Pick<AcceptRolloutDeps, 'sql' | 'waker'>;

const PARAMETERS = { rollout_id: ROLLOUT_ID };

export const ROLLOUT_ACTION_ROUTES: readonly Route<RolloutActionDeps>[] = [
  route({
    id: 'cancelRollout',
    method: 'post',
    path: '/api/v1/menus/rollouts/{rollout_id}/cancel',
    parameters: PARAMETERS,
    group: 'Rollouts',
    summary: 'Cancel a rollout',
    description:
      'Targets that have not started or are not being pushed end `canceled`; the others finish, and then the rollout ends.',
    access: token({ acts: true }),
    idempotency: 'kept',
    query: noQuery,
    body: emptyBody,
    answers: [
      {
        status: 200,
        schema: answerOf(ref('Rollout')),
        examples: { canceling: { message: 'Success.', data: ROLLOUT_VIEW } },
      },
      ROLLOUT_MISSING,
      { status: 409, sentences: ['The rollout can no longer be canceled.'] },
    ],
    async handle(deps: RolloutActionDeps, { ctx, params }) {
      const { rolloutId } = await findOwnRollout(deps.sql, ctx, params.rollout_id);
      const isRepeat = await bindRollout(deps, ctx, rolloutId);
      const wasRunning = await cancelRollout(deps.sql, rolloutId);
      const rollout = await findOwnRollout(deps.sql, ctx, rolloutId);
      if (!wasRunning && !(isRepeat && rollout.state === 'canceled')) {
        throw new AppError('rollout_not_cancelable', 'The rollout can no longer be canceled.');
      }
      await deps.waker.wake(menuRolloutWorkflow, rolloutId, false);
      ctx.body = { message: 'Success.', data: renderRollout(rollout) };
    },
  }),
  route({
    id: 'revertRollout',
    method: 'post',
    path: '/api/v1/menus/rollouts/{rollout_id}/revert',
    parameters: PARAMETERS,
    group: 'Rollouts',
    summary: 'Take a rollout back',
    description:
      'Wherever its menu is still live, the menu that was live before is published again. Allowed once, after the rollout has ended.',
    access: token({ acts: true }),
    idempotency: 'kept',
    query: noQuery,
    body: emptyBody,
    answers: [
      {
        status: 202,
        schema: answerOf(ref('AcceptedRollout')),
        examples: {
          started: {
            message: 'Rollout revert started.',
            data: { rollout_id: ROLLOUT_ID, status_url: statusUrlOf(ROLLOUT_ID) },
          },
        },
        link: { operation: 'getRollout', parameter: 'rollout_id', pointer: '/data/rollout_id' },
      },
      ROLLOUT_MISSING,
      {
        status: 409,
        sentences: ['The rollout is still running.', 'The rollout was already reverted.'],
      },
    ],
    async handle(deps: RolloutActionDeps, { ctx, params }) {
      const { rolloutId } = await findOwnRollout(deps.sql, ctx, params.rollout_id);
      const isRepeat = await bindRollout(deps, ctx, rolloutId);
      if (!(await beginRevert(deps.sql, rolloutId))) {
        const { state } = await findOwnRollout(deps.sql, ctx, rolloutId);
        const isReverted = state === 'reverting' || state === 'reverted';
        // An earlier try may have died before it started the revert, or after it was refused.
        if (!(isRepeat && isReverted)) throw notRevertible(isReverted);
      }
      await deps.waker.wake(menuRolloutWorkflow, rolloutId, false);
      ctx.status = 202;
      ctx.body = {
        message: 'Rollout revert started.',
        data: { rollout_id: rolloutId, status_url: statusUrlOf(rolloutId) },
      };
    },
  }),
];

/** Binds the rollout to the request; true if an earlier try of the request did so before its process died. */
async function bindRollout(
  { sql }: RolloutActionDeps,
  ctx: RequestContext,
  rolloutId: RolloutId,
): Promise<boolean> {
  const { heldKey, boundId } = ctx.state;
  if (boundId !== null) return true;
  if (!(await bindKey(sql, heldKey, rolloutId))) throw keyLost();
  return false;
}

function notRevertible(isReverted: boolean): AppError {
  return new AppError(
    'rollout_not_revertible',
    isReverted ? 'The rollout was already reverted.' : 'The rollout is still running.',
  );
}
