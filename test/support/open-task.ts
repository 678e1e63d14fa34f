import type { Shop } from './shop';
import type { System } from './system';
import type { UploadSteps } from './upload-steps';
import { versionedMenu } from './versioned-menu';

/** Uploads version 1 to the app, whose answer about its task stays open. */
export async function uploadWithOpenTask(
  system: System,
  steps: UploadSteps,
  app: 'app-c' | 'app-d',
) {
  const shop = await system.openShop(app);
  await shop.fault(app === 'app-c' ? { kind: 'task_stuck' } : { kind: 'approval', mode: 'never' });
  return uploadWithTask(system, steps, shop);
}

/** Uploads version 1 to the shop, whose app accepts it as a task. */
export async function uploadWithTask(system: System, steps: UploadSteps, shop: Shop) {
  const upload = await steps.prepare(shop);
  expect(await steps.pushMenu(upload)).toMatchObject({ next: 'accepted' });
  const [row] = await system.sql<{ taskId: string }[]>`
    select task_id from menu_upload where upload_id = ${upload.uploadId}`;
  return { shop, upload, taskId: row?.taskId ?? '' };
}

/** What the next claim makes of such a task; a newer menu waits by then. */
export async function confirmNext(steps: UploadSteps, shop: Shop) {
  await steps.insert(shop, versionedMenu(2));
  const claim = await steps.claimNewest(shop);
  expect(claim).toMatchObject({ kind: 'confirm' });
  if (!('attemptNo' in claim)) throw new Error(`not claimed: ${claim.kind}`);
  return steps.confirmTask(claim);
}
