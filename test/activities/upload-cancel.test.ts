import { randomUUID } from 'node:crypto';
import type { UploadId } from '../../src/platform/ids';
import { beginPush } from '../../src/uploads/sql/pushes';
import { cancelUpload } from '../../src/uploads/sql/upload-cancel';
import { useUploadSteps } from '../support/upload-steps';

const { system, steps } = useUploadSteps();

async function isCanceled(uploadId: UploadId): Promise<boolean> {
  const [row] = await system.sql<{ reason: string | null }[]>`
    select retry_reason as reason from menu_upload where upload_id = ${uploadId}`;
  return cancelUpload(system.sql, { uploadId, reason: row?.reason ?? null, messages: [] });
}

test('an upload is canceled when the app answered each of its pushes, not when one was refused after another without an answer', async () => {
  const answered = await system.openShop('app-b');
  await answered.fault({ kind: 'rate_limit', s: 60 });
  const refused = await steps.prepare(answered);
  expect(await steps.pushMenu(refused)).toMatchObject({ next: 'later' });
  expect(await isCanceled(refused.uploadId)).toBe(true);

  const silent = await system.openShop('app-b');
  await silent.fault({ kind: 'reset_mid', times: 1 });
  await silent.fault({ kind: 'rate_limit', s: 60 });
  const lost = await steps.prepare(silent);
  expect(await steps.pushMenu(lost)).toMatchObject({
    summary: expect.stringMatching(/status 429/),
  });
  expect(await isCanceled(lost.uploadId)).toBe(false);
});

test('an upload whose worker died during a push cannot be canceled when the next push is refused', async () => {
  const shop = await system.openShop('app-b');
  const upload = await steps.prepare(shop);
  const dead = {
    ...upload,
    stepStartsAt: new Date(),
    callId: randomUUID(),
    settleMs: null,
    destination: '[]',
  };
  await beginPush(system.sql, dead);
  await shop.fault({ kind: 'rate_limit', s: 60 });
  expect(await steps.pushMenu(upload)).toMatchObject({ next: 'later' });
  expect(await isCanceled(upload.uploadId)).toBe(false);
});
