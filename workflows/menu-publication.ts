import { defineSearchAttributeKey, SearchAttributeType } from '@temporalio/common';
import {
  continueAsNew,
  proxyActivities,
  proxyLocalActivities,
  setCurrentDetails,
  upsertSearchAttributes,
  workflowInfo,
} from '@temporalio/workflow';
import type { MenuActivities } from '../activities/menu-activities';
import type { PublicationKey } from '../src/uploads/sql/publications';
import type { AttemptKey } from '../src/uploads/sql/upload-attempts';
import type { PublicationResult, PushNext, StepReport } from '../src/uploads/upload-report';
import { UPLOAD_TIMING } from '../src/uploads/upload-retries';
import { SEARCH_ATTRIBUTES } from '../src/platform/temporal/workflow-names';
import {
  isBroken,
  isPostgresAway,
  passLoop,
  type Pause,
  type PassEnd,
  RETRY,
  STEP_RETRY,
} from './pass-loop';

/**
 * How a round of steps that has not ended its upload may end: the next one is planned; its row says for what it waits;
 * the token that was just fetched is gone again; the history is long, and the next run claims the upload again, as
 * `confirm`.
 */
type RoundNext = 'later' | 'waits' | 'no_token' | 'next_run';

// Without its queue a workflow can do nothing, so it retries forever. A step gives up, so that a menu that always fails
// does not keep newer ones waiting.
// Local: these are short, mostly database work, and a task queue round trip for each would halve the throughput.
const localOptions = { startToCloseTimeout: '60s', localRetryThreshold: '20s' } as const;
const untiring = proxyLocalActivities<MenuActivities>({ ...localOptions, retry: RETRY });
const local = proxyLocalActivities<MenuActivities>({ ...localOptions, retry: STEP_RETRY });
const remote = proxyActivities<MenuActivities>({
  // For the tries of a push, each with the request for its token and the read-back, each request as long as
  // DELIVERY_APP_TIMEOUT allows.
  startToCloseTimeout: '8m',
  // A crash costs this long until another worker takes over, plus 0.2 s. The worker sends a heartbeat every 0.7 s, so
  // one that freezes for a second and a half counts as dead; its step then runs twice, which every step allows.
  heartbeatTimeout: '2200ms',
  retry: STEP_RETRY,
});

const uploadState = defineSearchAttributeKey(
  SEARCH_ATTRIBUTES.uploadState,
  SearchAttributeType.KEYWORD,
);

/**
 * Publishes the menus of one store to one delivery app, one at a time and always the newest; older ones end
 * `superseded`. The result is the last one.
 */
export async function menuPublication(input: PublicationKey): Promise<PublicationResult | null> {
  let last: PublicationResult | null = null;
  // `passLoop` calls `pass` again at once after `again`, after `ms` or a wake after `wait`, and returns after `idle`
  // unless a wake came meanwhile.
  await passLoop({
    async pass(pause) {
      const claim = await untiring.claimNewest(input);
      if (!('attemptNo' in claim)) return waitOrRest(claim);
      const { uploadId, attemptNo, requestId } = claim;
      setCurrentDetails(
        `Publishing upload ${uploadId}, attempt ${attemptNo}, request ${requestId}.`,
      );
      // The input of activities, without the rest of the claim: the history keeps each.
      const attempt = { uploadId, attemptNo };
      const round = await orPostpone(attempt, () =>
        claim.kind === 'confirm' ? confirm(attempt, pause) : publish(attempt, claim, pause),
      );
      if (round.next === 'ended') last = { upload_id: uploadId, state: round.state };
      return passEndOf(attempt, round);
    },
    continueAsNew: () => continueAsNew<typeof menuPublication>(input),
  });
  return last;
}

function waitOrRest(
  claim: Exclude<Awaited<ReturnType<typeof untiring.claimNewest>>, AttemptKey>,
): PassEnd {
  if (claim.kind === 'idle') return claim;
  setCurrentDetails(claim.summary);
  return claim.ms > 0 ? { kind: 'wait', ms: claim.ms } : { kind: 'again' };
}

type PublishClaim = Pick<
  Extract<Awaited<ReturnType<typeof untiring.claimNewest>>, AttemptKey>,
  'isPrepared' | 'transformed'
>;

/**
 * The steps of an upload: transform, images, push, confirm. The claim has transformed its menu already, unless that
 * failed or needed a thread.
 */
async function publish(
  attempt: AttemptKey,
  { isPrepared, transformed }: PublishClaim,
  pause: Pause,
): Promise<StepReport<RoundNext>> {
  if (!isPrepared) {
    const prepared = await prepare(attempt, transformed);
    if (prepared.next !== 'ready') return prepared;
  }
  const pushed = await push(attempt);
  return pushed.next === 'accepted' ? confirm(attempt, pause) : pushed;
}

/**
 * The transform first looks whether a token is stored (`no_token`: none is). It is fetched in a step of its own,
 * because the request may hang.
 */
async function prepare(
  attempt: AttemptKey,
  fromClaim: PublishClaim['transformed'],
): Promise<StepReport<RoundNext | 'ready'>> {
  let transformed = fromClaim ?? (await local.transformMenu(attempt));
  if (transformed.next === 'no_token') {
    const token = await remote.fetchToken(attempt);
    if (token.next !== 'ready') return token;
    transformed = await local.transformMenu({ ...attempt, tokenFetched: true });
  }
  return transformed.next === 'images' ? remote.checkImages(attempt) : transformed;
}

/** Most apps answer within a second. A push that takes longer shows as an activity, with heartbeats. */
async function push(attempt: AttemptKey): Promise<StepReport<PushNext>> {
  const pushed = await local.pushPromptly(attempt);
  return pushed.next === 'slow' ? remote.pushMenu(attempt) : pushed;
}

/**
 * Polls an asynchronous task until it ends. The app's callback ends the wait, but the app is asked anyway. If people
 * decide, the activity says when to ask again, which may mean days of waiting: a long history ends the round, and the
 * next run continues with the same task.
 */
async function confirm(attempt: AttemptKey, pause: Pause): Promise<StepReport<RoundNext>> {
  for (let next = UPLOAD_TIMING.firstPollMs; ;) {
    await pause(next);
    const answer = await remote.confirmTask(attempt);
    if (answer.next !== 'running') return answer;
    if (answer.pauseMs === undefined) next = Math.min(next * 2, UPLOAD_TIMING.longestPollMs);
    else {
      next = answer.pauseMs;
      const minutes = Math.ceil(next / 60_000);
      setCurrentDetails(
        `Upload ${attempt.uploadId} waits for a decision of people at the app, which is asked again in ${minutes} min.`,
      );
      if (workflowInfo().continueAsNewSuggested) return { next: 'next_run' };
    }
  }
}

/**
 * A step that failed at every try ends the round: its upload waits for the next one, which begins at once if Postgres
 * was away, and a newer upload supersedes it meanwhile.
 */
async function orPostpone(
  attempt: AttemptKey,
  round: () => Promise<StepReport<RoundNext>>,
): Promise<StepReport<RoundNext>> {
  try {
    return await round();
  } catch (error) {
    if (!isBroken(error)) throw error;
    // Once Postgres has taken this, it is back, and the upload need not wait for it any longer.
    return untiring.postpone(isPostgresAway(error) ? { ...attempt, isDue: true } : attempt);
  }
}

/**
 * Shows an end or a planned round in the Temporal UI. Unless the publication has come to rest, the next pass looks
 * again, and its claim says how long to wait.
 */
function passEndOf({ uploadId }: AttemptKey, round: StepReport<RoundNext>): PassEnd {
  if (round.next !== 'ended' && round.next !== 'later') return { kind: 'again' };
  const state = round.next === 'ended' ? round.state : 'waiting';
  setCurrentDetails(`Upload ${uploadId}: ${state}${round.summary ? ` (${round.summary})` : ''}.`);
  upsertSearchAttributes([{ key: uploadState, value: state }]);
  return round.next === 'ended' && round.rests ? { kind: 'idle' } : { kind: 'again' };
}
