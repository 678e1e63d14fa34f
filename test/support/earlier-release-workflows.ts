import { proxyActivities, proxyLocalActivities, sleep } from '@temporalio/workflow';
import type { AttemptKey } from '../../src/uploads/sql/upload-attempts';
import type { PublicationKey } from '../../src/uploads/sql/publications';

export type EarlierUpload = AttemptKey & PublicationKey;

/** The activities of the release before the one in which steps end uploads. */
export interface EarlierActivities {
  claimNewest(key: PublicationKey): Promise<EarlierUpload>;
  fetchToken(upload: EarlierUpload): Promise<string>;
  transformMenu(upload: EarlierUpload): Promise<string>;
  pushMenu(upload: EarlierUpload): Promise<string>;
  confirmTask(upload: EarlierUpload): Promise<string>;
  recordOutcome(upload: EarlierUpload): Promise<string>;
}

const local = proxyLocalActivities<EarlierActivities>({ startToCloseTimeout: '60s' });
const remote = proxyActivities<EarlierActivities>({
  startToCloseTimeout: '8m',
  heartbeatTimeout: '2200ms',
  retry: { initialInterval: '200ms', maximumAttempts: 8 },
});

/** How that release published a menu: in the order of its history. */
export async function menuPublication(key: PublicationKey): Promise<void> {
  const upload = await local.claimNewest(key);
  await local.fetchToken(upload);
  await local.transformMenu(upload);
  if ((await remote.pushMenu(upload)) === 'accepted') {
    await sleep('2s');
    await remote.confirmTask(upload);
  }
  await local.recordOutcome(upload);
  await sleep('1h'); // until the next round of an upload that waits
}
