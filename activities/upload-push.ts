import { randomUUID } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { cancellationSignal } from '@temporalio/activity';
import { recordTask } from '../src/db/publications';
import { endPush, type PushTurn } from '../src/db/pushes';
import { recordRetryReason } from '../src/db/uploads';
import type { HeardAnswer } from '../src/delivery-apps/heard-answer';
import type { PushOutcome, PushRequest } from '../src/delivery-apps/types';
import {
  type MenuActivityDeps,
  type StepEnd,
  type UploadContext,
  type UploadRef,
  deadlineOf,
  withStep,
  withUpload,
} from './upload-context';
import { holdingPush, takePush } from './push-lease';
import { conclude, verdictOf } from './upload-conclusion';
import { withHeartbeat } from './with-heartbeat';

/** What one push came to; `token_refused`: the app no longer gives us one; `token_elsewhere`: another upload fetches it. */
type PushEnd = PushOutcome | { readonly kind: 'stale' | 'token_refused' | 'token_elsewhere' };

/** What entitles this call of the activity to push. */
interface Turn extends Pick<PushTurn, 'startedAt' | 'callId'> {
  /** By `performance.now()`: if the process stands still after it, another one may be given the push. */
  readonly since: number;
}

interface Pushed {
  readonly outcome: PushEnd;
  /** Null when nothing was pushed. */
  readonly answer: HeardAnswer | null;
}

/** `turn`: the upload waits until other pushes to the integration, or the call for its token, have ended. */
export type PushResult = 'decided' | 'accepted' | 'token_expired' | 'later' | 'turn' | 'stale';

/**
 * A process that stands still has its polls open, and finds when it wakes up what it was handed out meanwhile: what
 * begins within this time of a freeze may be such a thing.
 */
const HANDED_OUT_MS = 3_000;

/** Quick tries of one round, and the pauses between them; then the round is over and a newer menu may take its place. */
const QUICK_PAUSES_MS = [500, 1_500] as const;
/** A longer wait than this, asked for by the app, ends the round at once. */
const LONGEST_QUICK_PAUSE_MS = 5_000;

export function createUploadPushActivities(deps: MenuActivityDeps) {
  const { sql, documents, rooms, turns, tokens, freezes } = deps;
  return {
    /** Sends the payload; a push without a readable answer is settled by asking the app or sending the same bytes again. */
    async pushMenu(ref: UploadRef & { tokenRefreshed?: boolean }): Promise<PushResult> {
      const since = performance.now() - HANDED_OUT_MS;
      // Before the step begins: that would take the push from the call that has it now.
      requireAwake(since);
      return withUpload<PushResult>(deps, ref, (upload) =>
        inItsRoom(upload, () =>
          withStep(deps, ref, 'push', (startedAt) =>
            withHeartbeat(async () => {
              if (upload.target.skipUnchanged && isUnchanged(upload)) {
                return conclude(deps, upload, { kind: 'unchanged' });
              }
              return pushPatiently(
                upload,
                { startedAt, since, callId: randomUUID() },
                ref.tokenRefreshed ?? false,
              );
            }),
          ),
        ),
      );
    },
  };

  /** Runs the push in one of the integration's places in this worker; without a free one the upload waits in its row. */
  async function inItsRoom(
    upload: UploadContext,
    push: () => Promise<PushResult>,
  ): Promise<PushResult> {
    const { integrationId, maxInFlight } = upload.target;
    const turn = `push/${integrationId}` as const;
    if (!rooms.enter(integrationId, maxInFlight)) {
      await turns.wait(upload, turn, () => rooms.free(integrationId, maxInFlight) > 0);
      return 'turn';
    }
    try {
      return await push();
    } finally {
      rooms.leave(integrationId);
      // One for the place that is free now, and one in case that a call was lost.
      turns.call(turn, Math.min(2, rooms.free(integrationId, maxInFlight)));
    }
  }

  async function pushPatiently(
    upload: UploadContext,
    turn: Turn,
    tokenRefreshed: boolean,
  ): Promise<StepEnd<PushResult>> {
    for (let round = 0; ; round++) {
      const { outcome, answer } = await pushOnce(upload, turn);
      const pauseMs = quickPause(outcome, round);
      if (pauseMs === null)
        return { ...(await settlePush(upload, outcome, tokenRefreshed)), answer };
      await delay(pauseMs, undefined, { signal: cancellationSignal() });
    }
  }

  /** Temporal gives the push of a process that stands still to another one. Throws, so that this call is made again. */
  function requireAwake(since: number): void {
    if (freezes.hasStoodStill(since))
      throw new Error('this process stood still, its push may be under way elsewhere');
  }

  async function pushOnce(upload: UploadContext, { since, ...call }: Turn): Promise<Pushed> {
    const request = await pushRequest(upload);
    if ('kind' in request) return { outcome: request, answer: null };
    await deps.reach('worker:before-push');
    const { uploadId, attemptNo, client, listening } = upload;
    const { settleMs } = deps.settings;
    const turn = { uploadId, attemptNo, ...call };
    const push = { ...turn, settleMs: client.pollTask ? settleMs : null };
    // The last moment in which an attempt that was taken over can still be stopped from overwriting a newer menu.
    const mark = await takePush(deps, push, () => requireAwake(since));
    if (!mark) return { outcome: { kind: 'stale' }, answer: null };
    // Between that moment and the first byte lies at least one more turn of the event loop, or a new connection.
    const maySend = (): boolean => !freezes.hasStoodStill(since);
    const outcome = await holdingPush(deps, turn, () =>
      listening.sendOnlyIf(maySend, () => client.pushMenu(request)),
    );
    const answer = listening.lastAnswer([request.token, upload.credential.clientSecret]);
    await deps.reach('worker:after-push');
    if (outcome.kind === 'accepted') {
      await recordTask(sql, uploadId, attemptNo, outcome.taskId, deadlineOf(upload, deps));
    }
    // Without an answer, an asynchronous app may carry it out all the same, later: nothing newer goes out before that.
    if (client.pollTask && outcome.kind !== 'unknown') await endPush(sql, turn, mark);
    if (outcome.kind === 'token_expired') {
      await tokens.forget(upload.credential, request.version);
    }
    if (!upload.client.readBack || (outcome.kind !== 'unknown' && outcome.kind !== 'live')) {
      return { outcome, answer };
    }
    return { outcome: await verifyLive(upload, request, outcome), answer };
  }

  async function pushRequest(
    upload: UploadContext,
  ): Promise<(PushRequest & { version: number }) | PushEnd> {
    const { target, client, credential } = upload;
    const access = await tokens.get(client, credential, upload.uploadId);
    if (access.kind === 'elsewhere') return { kind: 'token_elsewhere' };
    if (access.kind === 'refused') return { kind: 'token_refused' };
    if (access.kind === 'retry') return access;
    if (target.payloadSha256 === null) throw new Error(`upload ${upload.uploadId} has no payload`);
    return {
      token: access.token,
      version: access.version,
      deliveryId: target.deliveryId,
      payload: await documents.read(target.payloadSha256),
    };
  }

  async function settlePush(
    upload: UploadContext,
    outcome: PushEnd,
    tokenRefreshed: boolean,
  ): Promise<StepEnd<PushResult>> {
    switch (outcome.kind) {
      case 'stale':
        return { result: 'stale', state: 'failed' };
      case 'token_refused':
        return conclude(deps, upload, { kind: 'token_refused' });
      case 'token_elsewhere':
        await tokens.await(upload, upload.credential);
        return { result: 'turn', state: 'running' };
      case 'accepted':
        return { result: 'accepted', state: 'done' };
      case 'token_expired':
        if (!tokenRefreshed) return { result: 'token_expired', state: 'running' };
        return conclude(deps, upload, { kind: 'token_not_accepted' });
      case 'unknown':
        return retryLater(upload, outcome.reason, null);
      case 'retry':
        return retryLater(upload, outcome.reason, outcome.afterMs ?? null);
      case 'live':
      case 'partly_live':
      case 'rejected':
        return conclude(deps, upload, verdictOf(outcome));
    }
  }

  async function retryLater(
    upload: UploadContext,
    reason: string,
    afterMs: number | null,
  ): Promise<StepEnd<'later'>> {
    await recordRetryReason(sql, upload.uploadId, upload.attemptNo, reason, afterMs);
    return { result: 'later', state: 'failed', reason };
  }
}

/** The pause before the next quick try, or null when the outcome is final or asks for more patience than a round has. */
function quickPause(outcome: PushEnd, round: number): number | null {
  const planned = QUICK_PAUSES_MS[round];
  if (planned === undefined) return null;
  if (outcome.kind === 'unknown') return planned;
  if (outcome.kind !== 'retry') return null;
  const pause = Math.max(planned, outcome.afterMs ?? 0);
  return pause <= LONGEST_QUICK_PAUSE_MS ? pause : null;
}

function isUnchanged({ target }: UploadContext): boolean {
  return target.liveDocumentSha256 === target.documentSha256;
}

/** The app is asked what it shows: an answer that never came may hide a success, and a success may be an empty word. */
async function verifyLive(
  upload: UploadContext,
  request: PushRequest,
  outcome: PushOutcome,
): Promise<PushOutcome> {
  const shown = await upload.client.readBack?.(request);
  switch (shown?.kind) {
    case 'same':
      return outcome.kind === 'live' ? outcome : { kind: 'live' };
    case 'different':
      return { kind: 'unknown', reason: 'the delivery system still shows another menu' };
    case 'retry':
    case 'token_expired':
    case 'unknown':
    case undefined:
      // It took the menu and will not say more: a success stands, an unknown stays one.
      return outcome;
  }
}
