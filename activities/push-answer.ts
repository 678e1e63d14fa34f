import type { DeliveryAppClient, PushOutcome, PushRequest } from '../src/delivery-apps/app-client';
import { recordTask } from '../src/uploads/sql/upload-attempts';
import type { PushNext } from '../src/uploads/upload-report';
import type { MenuActivityDeps } from './activity-deps';
import { type AppAnswer, describeAnswer, verdictOf } from './app-verdict';
import type { PushCall } from './app-lease';
import { type Attempt, deadlineOf } from './load-attempt';
import type { StepEnd } from './upload-step';

/** `settlesUntil`: until when an earlier push may still take effect. */
export type PushAnswer = AppAnswer<PushOutcome> & { readonly settlesUntil: Date | null };

/** Nothing was sent, and may be soon. */
export function unsent(outcome: Extract<PushOutcome, { kind: 'retry' }>): PushAnswer {
  return { outcome, answer: null, ms: 0, settlesUntil: null };
}

/** Asks the app which menu it shows, because a missing answer may hide a success, and a success may be false. */
export async function readBack(
  { client }: Attempt,
  request: PushRequest,
  outcome: PushOutcome,
): Promise<PushOutcome> {
  if (!client.readBack || (outcome.kind !== 'unknown' && outcome.kind !== 'live')) return outcome;
  const shown = await client.readBack(request);
  switch (shown.kind) {
    case 'same':
      return outcome.kind === 'live' ? outcome : { kind: 'live' };
    case 'different':
      return { kind: 'unknown', reason: 'the delivery system still shows another menu' };
    case 'retry':
    case 'token_expired':
    case 'unknown':
      // The app accepted the menu but says no more: a success stays one, and so does an unknown.
      return outcome;
  }
}

/** What the app's answer means for the upload, once no quick try follows. */
export function pushEndOf(
  { sql, settings }: MenuActivityDeps,
  attempt: Attempt,
  { callId }: PushCall,
  { outcome, answer, ms, settlesUntil }: PushAnswer,
): StepEnd<PushNext> {
  // `atMost`: an app (C, D) refused the menu for a reason that may soon pass. After so many repeats it counts as a refusal,
  // and at once if the app asks for a longer pause than a quick try may have. Any other `retry` gets later rounds.
  if (outcome.kind === 'retry' && outcome.atMost !== undefined) {
    const verdict = { kind: 'rejected', reasons: [outcome.reason] } as const;
    return { verdict, callId, answer, summary: describeAnswer('rejected', answer, ms) };
  }
  const answered = { answer, summary: describeAnswer(outcome.kind, answer, ms) };
  switch (outcome.kind) {
    case 'live':
    case 'partly_live':
    case 'rejected':
      return { verdict: verdictOf(outcome), callId, ...answered };
    case 'accepted': {
      const { taskId } = outcome;
      const firstQuestionMs = attempt.app.approvedByPeople ? settings.approvalFirstMs : null;
      const deadlineMs = deadlineOf(attempt, { settings });
      const task = { taskId, firstQuestionMs, deadlineMs, callId, settlesUntil };
      return {
        next: 'accepted',
        state: 'done',
        write: (steps) => recordTask(sql, attempt, task, steps),
        ...answered,
      };
    }
    case 'token_expired':
      return { verdict: { kind: 'token_not_accepted' }, callId, ...answered };
    case 'unknown': {
      const { reason } = outcome;
      return { retry: { reason, waits: 'app_unavailable', afterMs: null }, ...answered };
    }
    case 'retry': {
      const { reason, waits = 'app_unavailable', afterMs = null } = outcome;
      return { retry: { reason, waits, afterMs }, ...answered };
    }
  }
}

/**
 * Whether another push to the app may follow at once, where the upload does not end by this answer (its end frees the
 * app too):
 *   unknown     no: the app may still carry it out
 *   accepted    no: its task is recorded next, and with it the end of the push
 *   others      yes, of an app that works on tasks; of another one after a try that is repeated
 */
export function freesApp({ kind }: PushOutcome, client: DeliveryAppClient): boolean {
  if (kind === 'unknown' || kind === 'accepted') return false;
  return client.pollTask !== undefined || kind === 'retry' || kind === 'token_expired';
}
