import { setTimeout as sleep } from 'node:timers/promises';
import { prepareSystem, stopSystems } from '../support/system';

afterEach(stopSystems);

test('a worker that was frozen before its push does not send it after a newer menu', async () => {
  const system = await prepareSystem();
  await system.startApi();
  const shop = await system.openShop('app-b');
  const frozen = await system.startChild({ role: 'worker', stopAt: ['worker:before-push'] });
  const older = shop.upload('older');
  await frozen.reached(1);
  // Before it freezes it no longer asks for tasks: the server would go on giving it some, one time-out after the other.
  frozen.stop();
  await sleep(500);
  frozen.kill('SIGSTOP');

  await system.startWorker();
  const { uploadId } = await older;
  expect((await shop.ended(uploadId)).state).toBe('uploaded');
  frozen.kill('SIGCONT'); // its push still stands where it stood
  const newer = await shop.upload('newer');
  expect((await shop.ended(newer.uploadId)).state).toBe('uploaded');
  frozen.go();
  const newest = await shop.upload('newest');
  expect((await shop.ended(newest.uploadId)).state).toBe('uploaded');
  expect(await shop.accepted()).toEqual(['older', 'newer', 'newest']);
});
