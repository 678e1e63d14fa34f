import { awaitToken } from '../src/uploads/upload-turns';
import { listUnavailable } from '../src/availability/sql/marks';
import { randomUUID } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { cancellationSignal } from '@temporalio/activity';
import { endPush, type PushTurn } from '../src/uploads/sql/pushes';
import { adoptLivePayload, type AttemptKey, recordTask } from '../src/uploads/sql/upload-attempts';
import type { AppTokenRow } from '../src/delivery-apps/sql/app-tokens';
import type { HeardAnswer } from '../src/delivery-apps/listening-client';
import type { DeliveryAppClient, PushOutcome, PushRequest } from '../src/delivery-apps/types';
import type { StepReport } from '../src/uploads/upload-report';
import { type Attempt, deadlineOf, type MenuActivityDeps, withAttempt } from './upload-attempt';
import { holdingPush, takePush } from './push-lease';
import { tellAnswer, verdictOf } from './upload-end';
import { type StepEnd, uploadStep } from './upload-step';

/**
 * The result of one push; `token_refused`: the app no longer gives us a token; `token_elsewhere`: another upload is
 * fetching it.
 */
type PushEnd = PushOutcome | { readonly kind: 'stale' | 'token_refused' | 'token_elsewhere' };

/** What entitles this call of the activity to push. */
interface Turn extends Pick<PushTurn, 'startedAt' | 'callId'> {
  /** By `performance.now()`: if the process freezes after this time, another call may get the push. */
  readonly since: number;
}

interface Pushed {
  readonly outcome: PushEnd;
  /** The app's answer and its duration; null and 0 if nothing was pushed. */
  readonly answer: HeardAnswer | null;
  readonly ms: number;
  /** Until when an earlier push may still take effect. */
  readonly settlesUntil: Date | null;
}

/**
 * `accepted`: the app works on it as a task. `turn`: the upload waits until other pushes to the integration, or the
 * request for its token, have ended.
 */
type PushNext = 'accepted' | 'turn';

/**
 * A frozen process keeps its polls open, and gets their tasks when it wakes up: work that starts within this time
 * after a freeze may be such a task.
 */
const HANDED_OUT_MS = 3_000;

/** Pauses between the quick tries of one round; after them the round is over and a newer menu may go first. */
const QUICK_PAUSES_MS = [500, 1_500] as const;
/** Pause before the last tries of a push that has no later round. */
const LAST_PAUSE_MS = 3_000;
/** If the app asks for a longer wait than this, the round ends at once. */
const LONGEST_QUICK_PAUSE_MS = 5_000;

export function createUploadPushActivities(deps: MenuActivityDeps) {
  const { sql, documents, rooms, turns, tokens, freezes } = deps;
  return {
    /** Sends the payload. If a push gets no readable answer, asks the app or sends the same bytes again. */
    async pushMenu(key: AttemptKey): Promise<StepReport<PushNext | 'later'>> {
      const since = performance.now() - HANDED_OUT_MS;
      // Checked before the step begins, because beginning it would take the push from the call that has it now.
      requireAwake(since);
      return withAttempt<PushNext | 'later'>(deps, key, (attempt) =>
        inItsRoom(attempt, () => {
          // If a good token is stored, the step begins in the statement that takes the push.
          const announce = attempt.keptToken?.due !== false;
          return uploadStep(deps, attempt, 'push', { announce }, async (startedAt) => {
            if (attempt.target.skipUnchanged && isUnchanged(attempt)) {
              const isOurs = await adoptLivePayload(sql, attempt);
              return isOurs ? { verdict: { kind: 'unchanged' } } : { next: 'stale' };
            }
            const turn = { startedAt, since, callId: randomUUID() };
            return pushPatiently(attempt, turn, !announce);
          });
        }),
      );
    },
  };

  /**
   * Runs the push in one of the integration's places in this worker; if none is free, the upload waits in its row.
   */
  async function inItsRoom(
    attempt: Attempt,
    push: () => Promise<StepReport<PushNext | 'later'>>,
  ): Promise<StepReport<PushNext | 'later'>> {
    const { integrationId, maxInFlight } = attempt.target;
    const turn = `push/${integrationId}` as const;
    if (!rooms.enter(integrationId, maxInFlight)) {
      await turns.wait(attempt, turn, () => rooms.free(integrationId, maxInFlight) > 0);
      return { next: 'turn', told: `${maxInFlight} pushes to the app are under way` };
    }
    try {
      return await push();
    } finally {
      rooms.leave(integrationId);
      // One for the free place, and one in case a call was lost.
      turns.callWaiting(turn, Math.min(2, rooms.free(integrationId, maxInFlight)));
    }
  }

  /**
   * Pushes until the outcome is final or requires a longer wait than a round allows. A refused token is renewed once.
   */
  async function pushPatiently(
    attempt: Attempt,
    turn: Turn,
    beginsStep: boolean,
  ): Promise<StepEnd<PushNext>> {
    let pushed = await pushOnce(attempt, turn, { beginsStep, keptToken: attempt.keptToken });
    let isRenewed = false;
    for (let tries = 0; ;) {
      const { outcome } = pushed;
      if (outcome.kind === 'token_expired' && !isRenewed) {
        isRenewed = true;
      } else {
        const pauseMs = quickPause(outcome, tries);
        if (pauseMs === null) {
          return settlePush(attempt, turn, { ...pushed, outcome: withoutPatience(outcome) });
        }
        await delay(pauseMs, undefined, { signal: cancellationSignal() });
        tries += 1;
      }
      pushed = await pushOnce(attempt, turn);
    }
  }

  /** Temporal gives the push of a frozen process to another one. Throws, so that this call runs again. */
  function requireAwake(since: number): void {
    if (freezes.hasStoodStill(since))
      throw new Error('this process stood still, its push may be under way elsewhere');
  }

  async function pushOnce(
    attempt: Attempt,
    { since, ...call }: Turn,
    {
      beginsStep = false,
      keptToken,
    }: { beginsStep?: boolean; keptToken?: AppTokenRow | undefined } = {},
  ): Promise<Pushed> {
    const request = await pushRequest(attempt, keptToken);
    if ('kind' in request) return notPushed(request);
    await deps.reach('worker:before-push');
    const { uploadId, attemptNo, client, listening } = attempt;
    const { settleMs } = deps.settings;
    const turn = { uploadId, attemptNo, ...call };
    const push = { ...turn, beginsStep, settleMs: client.pollTask ? settleMs : null };
    // The last moment at which a superseded attempt can be kept from overwriting a newer menu.
    const begun = await takePush(deps, push, () => requireAwake(since));
    if (!begun) return notPushed({ kind: 'stale' });
    const sent = begun.hasUnavailable ? await withUnavailable(attempt, request) : request;
    // There is at least one more turn of the event loop, or a new connection, between that moment and the first byte.
    const maySend = (): boolean => !freezes.hasStoodStill(since);
    const sentAt = performance.now();
    const outcome = await holdingPush(deps, turn, () =>
      listening.sendOnlyIf(maySend, () => client.pushMenu(sent)),
    );
    const ms = performance.now() - sentAt;
    const answer = listening.lastAnswer([request.token, attempt.credential.clientSecret]);
    await deps.reach('worker:after-push');
    if (isAnsweredWithoutEnd(outcome, client)) await endPush(sql, turn, begun);
    if (outcome.kind === 'token_expired') {
      await tokens.forget(attempt.credential, request.version);
    }
    return {
      outcome: await verify(attempt, sent, outcome),
      answer,
      ms,
      settlesUntil: begun.settlesUntil,
    };
  }

  /** The menu with what is off sale now; no call can change that before it is sent. */
  async function withUnavailable<T extends PushRequest>(
    { uploadId, target, app }: Attempt,
    request: T,
  ): Promise<T> {
    const { writeUnavailable } = app.availability;
    if (!writeUnavailable) return request;
    const items = await listUnavailable(sql, target, uploadId);
    if (items.length === 0) return request;
    return { ...request, payload: writeUnavailable(request.payload, items) };
  }

  async function pushRequest(
    attempt: Attempt,
    keptToken: AppTokenRow | undefined,
  ): Promise<(PushRequest & { version: number }) | PushEnd> {
    const { target, client, credential } = attempt;
    const access = await tokens.get(client, credential, attempt.uploadId, keptToken);
    if (access.kind === 'elsewhere') return { kind: 'token_elsewhere' };
    if (access.kind === 'refused') return { kind: 'token_refused' };
    if (access.kind === 'retry') return access;
    if (target.payloadSha256 === null) throw new Error(`upload ${attempt.uploadId} has no payload`);
    return {
      token: access.token,
      version: access.version,
      appStoreId: target.appStoreId,
      payload: await documents.read(target.payloadSha256),
    };
  }

  async function settlePush(
    attempt: Attempt,
    { callId }: Turn,
    { outcome, answer, ms, settlesUntil }: Pushed,
  ): Promise<StepEnd<PushNext>> {
    const heard = { answer, told: tellAnswer(outcome.kind, answer, ms) };
    switch (outcome.kind) {
      case 'stale':
        return { next: 'stale' };
      case 'token_refused':
        return { verdict: { kind: 'token_refused' } };
      case 'token_elsewhere':
        await awaitToken(deps, attempt, attempt.credential);
        return { next: 'turn', state: 'running', told: 'another upload fetches the token' };
      case 'accepted': {
        const deadlineMs = deadlineOf(attempt, deps);
        const task = { taskId: outcome.taskId, deadlineMs, callId, settlesUntil };
        return {
          next: 'accepted',
          state: 'done',
          write: (steps) => recordTask(sql, attempt, task, steps),
          ...heard,
        };
      }
      case 'token_expired':
        return { verdict: { kind: 'token_not_accepted' }, ...heard };
      case 'unknown':
        return { retry: { reason: outcome.reason, afterMs: null, mayBeShown: true }, ...heard };
      case 'retry': {
        const { reason, afterMs = null } = outcome;
        return { retry: { reason, afterMs, mayBeShown: false }, ...heard };
      }
      case 'live':
      case 'partly_live':
      case 'rejected':
        return { verdict: verdictOf(outcome), ...heard };
    }
  }
}

function notPushed(outcome: PushEnd): Pushed {
  return { outcome, answer: null, ms: 0, settlesUntil: null };
}

/** An answer that justifies a limited number of tries becomes a refusal after them. */
function withoutPatience(outcome: PushEnd): PushEnd {
  if (outcome.kind !== 'retry' || outcome.atMost === undefined) return outcome;
  return { kind: 'rejected', reasons: [outcome.reason] };
}

/** The pause before the next quick try, or null if the outcome is final or requires a longer wait. */
function quickPause(outcome: PushEnd, round: number): number | null {
  const planned = QUICK_PAUSES_MS[round] ?? lastPause(outcome, round);
  if (planned === null) return null;
  if (outcome.kind === 'unknown') return planned;
  if (outcome.kind !== 'retry') return null;
  const pause = Math.max(planned, outcome.afterMs ?? 0);
  return pause <= LONGEST_QUICK_PAUSE_MS ? pause : null;
}

/** An outcome without a later round may be tried more often within this one. */
function lastPause(outcome: PushEnd, round: number): number | null {
  const isLeft = outcome.kind === 'retry' && outcome.atMost !== undefined && round < outcome.atMost;
  return isLeft ? LAST_PAUSE_MS : null;
}

/**
 * Whether the push is ended here: it was answered, and either the upload does not end now (which would free it too)
 * or an earlier push may still take effect. Without an answer, an asynchronous app may still carry the push out, so
 * nothing newer may be sent.
 */
function isAnsweredWithoutEnd({ kind }: PushOutcome, client: DeliveryAppClient): boolean {
  if (kind === 'unknown') return false;
  if (kind === 'accepted') return false; // its task is recorded next, and the end of the push with it
  return client.pollTask !== undefined || kind === 'retry' || kind === 'token_expired';
}

function isUnchanged({ target }: Attempt): boolean {
  return target.liveDocumentSha256 === target.documentSha256;
}

/** Asks the app what it shows: a missing answer may hide a success, and a success may be false. */
async function verify(
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
