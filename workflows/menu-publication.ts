import { defineSearchAttributeKey, SearchAttributeType } from '@temporalio/common';
import {
  continueAsNew,
  isCancellation,
  proxyActivities,
  proxyLocalActivities,
  setCurrentDetails,
  TemporalFailure,
  upsertSearchAttributes,
  workflowInfo,
} from '@temporalio/workflow';
import type { MenuActivities } from '../activities/menu-activities';
import { SEARCH_ATTRIBUTES } from '../src/domain/workflow-names';
import { entityLoop, type Pause, type Turn } from './entity-loop';

export interface MenuPublicationInput {
  readonly storeId: number;
  readonly integrationId: number;
}

/** One claimed upload: the row and the attempt that fences everything done for it. */
interface ClaimedUpload {
  readonly uploadId: string;
  readonly attemptNo: number;
}

/** What a round of steps came to: an end is in the row, or it is tried again, or waits for its turn, or is somebody else's by now. */
type RoundResult = 'decided' | 'later' | 'token_expired' | 'turn' | 'stale';

/** A task is asked after when 2 s have passed, then at doubling intervals up to 60 s. */
const FIRST_POLL_MS = 2_000;
const LONGEST_POLL_MS = 60_000;

// Exceptions in activities are what a retry can cure (Postgres away, say); everything that an app can answer comes
// back as a value. Without its queue an entity can do nothing, so it asks for ever. A step gives up after about 20 s:
// one that a single menu makes fail each time must not keep newer menus waiting behind it.
const retry = { initialInterval: '200ms', backoffCoefficient: 2, maximumInterval: '10s' } as const;
const stepRetry = { ...retry, maximumAttempts: 8 } as const;

// Local: these are short, mostly database work, and a task queue round trip each would halve the throughput.
const localOptions = { startToCloseTimeout: '60s', localRetryThreshold: '20s' } as const;
const queue = proxyLocalActivities<MenuActivities>({ ...localOptions, retry });
const local = proxyLocalActivities<MenuActivities>({ ...localOptions, retry: stepRetry });
const remote = proxyActivities<MenuActivities>({
  // Three tries of two requests, behind up to three for a token, each as long as DELIVERY_APP_TIMEOUT can be, and the pauses.
  startToCloseTimeout: '8m',
  // What a crash costs: so long until another worker goes on, and 0.2 s more. The worker sends a heartbeat every 0.7 s, so one that
  // stands still for a second and a half is taken for dead; its step is then done twice, which each step can bear.
  heartbeatTimeout: '2200ms',
  retry: stepRetry,
});

const uploadState = defineSearchAttributeKey(
  SEARCH_ATTRIBUTES.uploadState,
  SearchAttributeType.KEYWORD,
);

/** Publishes the menus of one store to one delivery app, the newest first and one at a time. */
export async function menuPublication(input: MenuPublicationInput): Promise<void> {
  await entityLoop({
    turn: (pause) => publishNewest(input, pause),
    continueAsNew: () => continueAsNew<typeof menuPublication>(input),
  });
}

async function publishNewest(input: MenuPublicationInput, pause: Pause): Promise<Turn> {
  const claim = await queue.claimNewest(input);
  switch (claim.kind) {
    case 'idle':
    case 'again':
      return { kind: claim.kind };
    case 'wait':
      setCurrentDetails(claim.told);
      return claim.ms > 0 ? { kind: 'wait', ms: claim.ms } : { kind: 'again' };
    case 'confirm':
      await settle(claim, await orLater(() => confirm(claim, pause)));
      return { kind: 'again' };
    case 'publish':
      setCurrentDetails(
        `Publishing upload ${claim.uploadId}, attempt ${claim.attemptNo}, request ${claim.requestId}.`,
      );
      await settle(claim, await orLater(() => publish(claim, pause)));
      return { kind: 'again' };
  }
}

/** Token, transform, images, push, confirm: an upload as a person would tell it. */
async function publish(
  claim: ClaimedUpload & { readonly isPrepared: boolean },
  pause: Pause,
): Promise<RoundResult> {
  const upload = { uploadId: claim.uploadId, attemptNo: claim.attemptNo };
  if (claim.isPrepared) return push(upload, pause);
  const token = await fetchToken(upload);
  if (token !== 'ready') return token;
  const transformed = await local.transformMenu(upload);
  if (transformed === 'images') {
    const checked = await remote.checkImages(upload);
    if (checked !== 'ready') return checked;
  } else if (transformed !== 'ready') return transformed;
  return push(upload, pause);
}

/** The kept token where there is one, without a task of its own; a call to the app is one, as it may hang. */
async function fetchToken(upload: ClaimedUpload): Promise<RoundResult | 'ready'> {
  const kept = await local.fetchToken({ ...upload, keptOnly: true });
  const token = kept === 'absent' ? await remote.fetchToken(upload) : kept;
  return token === 'absent' ? 'later' : token;
}

async function push(upload: ClaimedUpload, pause: Pause): Promise<RoundResult> {
  let pushed = await remote.pushMenu(upload);
  if (pushed === 'token_expired') {
    const fresh = await fetchToken(upload);
    if (fresh !== 'ready') return fresh;
    pushed = await remote.pushMenu({ ...upload, tokenRefreshed: true });
  }
  return pushed === 'accepted' ? confirm(upload, pause) : pushed;
}

/**
 * Asks after an asynchronous task until it ends. The app's callback wakes the wait; the answer is asked for all the same.
 * Where people decide, the activity says when to ask again, which makes days of waiting: a long history ends the round,
 * and the next run goes on with the same task.
 */
async function confirm(claim: ClaimedUpload, pause: Pause): Promise<RoundResult> {
  const upload = { uploadId: claim.uploadId, attemptNo: claim.attemptNo };
  for (let next = FIRST_POLL_MS; ;) {
    await pause(next);
    const answer = await remote.confirmTask(upload);
    if (answer === 'running') next = Math.min(next * 2, LONGEST_POLL_MS);
    else if (typeof answer === 'string') return answer;
    else {
      next = answer.pauseMs;
      const minutes = Math.ceil(next / 60_000);
      setCurrentDetails(
        `Upload ${claim.uploadId} waits for people at the app, who are asked in ${minutes} min.`,
      );
      if (workflowInfo().continueAsNewSuggested) return 'stale';
    }
  }
}

/** A step that failed at every try ends the round: its upload waits, and a newer one may take its place meanwhile. */
async function orLater(round: () => Promise<RoundResult>): Promise<RoundResult> {
  try {
    return await round();
  } catch (error) {
    // Of a local activity the failure itself comes, not wrapped in an ActivityFailure.
    if (error instanceof TemporalFailure && !isCancellation(error)) return 'later';
    throw error;
  }
}

/** Ends the upload with what its steps found out, or sends it back to wait for a later round. */
async function settle(upload: ClaimedUpload, result: RoundResult): Promise<void> {
  // Where an upload waits for its turn its row says so already.
  if (result === 'stale' || result === 'turn') return;
  const state = await queue.recordOutcome({
    uploadId: upload.uploadId,
    attemptNo: upload.attemptNo,
    decided: result === 'decided',
  });
  setCurrentDetails(`Upload ${upload.uploadId}: ${state}.`);
  upsertSearchAttributes([{ key: uploadState, value: state }]);
}
