import { AppError } from '../platform/errors';
import { answerOf, ref } from '../contract/answer-schemas';
import type { Refusal, Success } from '../contract/answers';
import { CHANGE_OUTCOME } from '../contract/examples';
import type { RequestContext } from '../http/state';
import { limitSentences } from '../menus/rules/problems-in-answers';
import { type FinishAvailability, isEnded } from './accept-availability';
import type { WaitingFor } from '../contract/why-it-waits';
import { type WaitingChangeDeps, whyChangesWait } from './read-change-waits';
import type { ChangeOutcome } from './sql/views';

/** The `message` of an answer about one kind of change, by its outcome. */
export interface ChangeWords {
  readonly done: string;
  readonly inProgress: string;
  readonly failed: string;
}

export const ITEM_WORDS: ChangeWords = {
  done: 'Availability successfully updated.',
  inProgress: 'Availability update in progress.',
  failed: 'Could not update availability in delivery system.',
};

const STORE_FAILED = 'Could not update the store in delivery system.';
export const PAUSE_WORDS: ChangeWords = {
  done: 'Store successfully paused.',
  inProgress: 'Store pause in progress.',
  failed: STORE_FAILED,
};
export const RESUME_WORDS: ChangeWords = {
  done: 'Store successfully resumed.',
  inProgress: 'Store resume in progress.',
  failed: STORE_FAILED,
};

export const SPECIAL_DAYS_WORDS: ChangeWords = {
  done: 'Special days successfully set.',
  inProgress: 'Special days in progress.',
  failed: STORE_FAILED,
};

/** Waits for the changes and answers: 202 while one is unfinished, 409 if all have ended and one has failed. */
export async function answerChanges(
  ctx: RequestContext,
  deps: WaitingChangeDeps,
  words: ChangeWords,
  finish: FinishAvailability,
): Promise<void> {
  const changes = await finish();
  const waits = await whyChangesWait(deps, changes);
  const data = { changes: changes.map((each) => renderOutcome(each, waits.get(each.changeId))) };
  if (!changes.every(isEnded)) {
    ctx.status = 202;
    ctx.body = { message: words.inProgress, data };
    return;
  }
  const failed = changes.filter((change) => change.state === 'failed');
  if (failed.length === 0) {
    ctx.body = { message: words.done, data };
    return;
  }
  const reasons = new Set(failed.flatMap((change) => change.messages));
  throw new AppError('availability_failed', limitSentences([words.failed, ...reasons]), { data });
}

function renderOutcome(change: ChangeOutcome, waitingFor: WaitingFor | undefined) {
  const { changeId, namedIntegration, state, messages } = change;
  return {
    change_id: changeId,
    integration_id: namedIntegration,
    state,
    ...reasonOf(change),
    waiting_for: waitingFor ?? null,
    messages: limitSentences([...new Set(messages)]),
  };
}

/** The reason of a pause stands wherever its state does; other changes have none. */
export function reasonOf({ kind, reason }: Pick<ChangeOutcome, 'kind' | 'reason'>) {
  return kind === 'pause' ? { reason } : {};
}

const CHANGES = ref('ChangeOutcomes');

/** Declares the answers that all changes of availability share. */
export function declareAnswers(
  words: ChangeWords,
  sentences: readonly string[],
): readonly [Success, Success, Refusal] {
  const running = { ...CHANGE_OUTCOME, state: 'running' };
  return [
    {
      status: 200,
      when: 'Every delivery app has applied the change, or a newer request replaced it.',
      schema: answerOf(CHANGES),
      examples: { done: { message: words.done, data: { changes: [CHANGE_OUTCOME] } } },
    },
    {
      status: 202,
      when: 'Not all are done yet, or the caller did not wait. They continue; each change has its own URL.',
      schema: answerOf(CHANGES),
      examples: { inProgress: { message: words.inProgress, data: { changes: [running] } } },
      link: {
        operation: 'getAvailabilityChange',
        parameter: 'change_id',
        pointer: '/data/changes/0/change_id',
      },
    },
    {
      status: 409,
      when: 'A delivery app did not apply the whole change; `data` then has the changes.',
      sentences: [
        "You don't have this store available.",
        words.failed,
        'Integration not available.',
        'This store does not have a token for this delivery.',
        'Microservice does not have this integration configured.',
        'This store does not have the store delivery id.',
        ...sentences,
      ],
      data: CHANGES,
    },
  ];
}
