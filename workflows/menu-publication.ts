import { defineSearchAttributeKey, SearchAttributeType } from '@temporalio/common';
import {
  continueAsNew,
  proxyActivities,
  proxyLocalActivities,
  setCurrentDetails,
  upsertSearchAttributes,
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

/** A task is asked after when 2 s have passed, then at doubling intervals up to 60 s. */
const FIRST_POLL_MS = 2_000;
const LONGEST_POLL_MS = 60_000;

// Exceptions in activities are what a retry can cure (Postgres away, say), so they are retried without end;
// everything that an app can answer comes back as a value.
const retry = { initialInterval: '200ms', backoffCoefficient: 2, maximumInterval: '10s' } as const;

// Local: these are short, mostly database work, and a task queue round trip each would halve the throughput.
const local = proxyLocalActivities<MenuActivities>({
  startToCloseTimeout: '60s',
  localRetryThreshold: '20s',
  retry,
});
const remote = proxyActivities<MenuActivities>({
  startToCloseTimeout: '5m',
  heartbeatTimeout: '10s',
  retry,
});

const uploadState = defineSearchAttributeKey(
  SEARCH_ATTRIBUTES.uploadState,
  SearchAttributeType.KEYWORD,
);

/** Publishes the menus of one store to one delivery app, the newest first and one at a time. */
export async function menuPublication(input: MenuPublicationInput): Promise<void> {
  await entityLoop({
    turn: (pause) => publishNewest(input, pause),
    rest: () => local.restPublication(input),
    continueAsNew: () => continueAsNew<typeof menuPublication>(input),
  });
}

async function publishNewest(input: MenuPublicationInput, pause: Pause): Promise<Turn> {
  const claim = await local.claimNewest(input);
  switch (claim.kind) {
    case 'idle':
      return { kind: 'idle' };
    case 'wait':
      setCurrentDetails(
        `The newest menu waits ${Math.ceil(claim.ms / 1000)} s before its next try.`,
      );
      return claim.ms > 0 ? { kind: 'wait', ms: claim.ms } : { kind: 'again' };
    case 'confirm':
      await confirm(claim, pause);
      return { kind: 'again' };
    case 'publish':
      setCurrentDetails(
        `Publishing upload ${claim.uploadId}, attempt ${claim.attemptNo}, request ${claim.requestId}.`,
      );
      await publish(claim, pause);
      return { kind: 'again' };
  }
}

/** Token, transform, images, push, confirm: an upload as a person would tell it. */
async function publish(claim: ClaimedUpload, pause: Pause): Promise<void> {
  const upload = { uploadId: claim.uploadId, attemptNo: claim.attemptNo };
  const token = await local.fetchToken(upload);
  if (token !== 'ready') return settle(upload, token);
  const transformed = await local.transformMenu(upload);
  if (transformed === 'images') {
    const checked = await remote.checkImages(upload);
    if (checked !== 'ready') return settle(upload, checked);
  } else if (transformed !== 'ready') return settle(upload, transformed);

  let pushed = await remote.pushMenu(upload);
  if (pushed === 'token_expired') {
    const fresh = await local.fetchToken(upload);
    if (fresh !== 'ready') return settle(upload, fresh);
    pushed = await remote.pushMenu({ ...upload, tokenRefreshed: true });
  }
  if (pushed === 'accepted') return confirm(upload, pause);
  return settle(upload, pushed);
}

/** Asks after an asynchronous task until it ends. The app's callback wakes the wait; the answer is asked for all the same. */
async function confirm(claim: ClaimedUpload, pause: Pause): Promise<void> {
  const upload = { uploadId: claim.uploadId, attemptNo: claim.attemptNo };
  for (let next = FIRST_POLL_MS; ; next = Math.min(next * 2, LONGEST_POLL_MS)) {
    await pause(next);
    const answer = await remote.confirmTask(upload);
    if (answer !== 'running') return settle(upload, answer);
  }
}

/** Ends the upload with what its steps found out, or sends it back to wait for a later round. */
async function settle(
  upload: ClaimedUpload,
  result: 'decided' | 'later' | 'token_expired' | 'stale',
): Promise<void> {
  if (result === 'stale') return;
  const state = await local.recordOutcome({
    uploadId: upload.uploadId,
    attemptNo: upload.attemptNo,
    decided: result === 'decided',
  });
  setCurrentDetails(`Upload ${upload.uploadId}: ${state}.`);
  upsertSearchAttributes([{ key: uploadState, value: state }]);
}
