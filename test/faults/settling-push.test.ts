import { prepareSystem, stopSystems } from '../support/system';

afterEach(stopSystems);

test('an asynchronous app whose worker died in a push is sent nothing newer before that push has settled', async () => {
  const system = await prepareSystem({ timing: { settleMs: 8_000 } });
  await system.startApi();
  const shop = await system.openShop('app-c');
  const mortal = await system.startChild({ role: 'worker', stopAt: ['worker:after-push'] });
  const older = shop.upload('older');
  await mortal.reached(1);
  const newer = shop.upload('newer');
  mortal.kill('SIGKILL');
  await system.startWorker();
  const ends = await Promise.all(
    [older, newer].map(async (answer) => (await shop.ended((await answer).uploadId)).state),
  );
  expect(await shop.shown()).toBe('newer');
  expect(ends[1]).toBe('uploaded');
  const starts = (await shop.requests('upload')).map((each) => Date.parse(each.started_at));
  expect((starts.at(-1) ?? 0) - (starts[0] ?? 0)).toBeGreaterThanOrEqual(8_000);
}, 60_000);
