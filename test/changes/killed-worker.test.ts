import { menuChangesOf, shownInApp } from '../support/menu-changes';
import { prepareSystem, stopSystems, type System } from '../support/system';
import { until } from '../support/until';
import { changeableMenu } from './changeable-menu';

let system: System;
beforeAll(async () => {
  system = await prepareSystem({ timing: { slowRetryMs: [300] } });
  await system.startApi();
});
afterAll(stopSystems);

const CHANGE = {
  items: [
    { external_id: 'I1', price: { value: '15900' } },
    { external_id: 'I2', price: { value: '2600' } },
  ],
};

const CALL = 'worker:before-item-call';

test.each([
  ['between two calls', [CALL, CALL], 1],
  ['once the end is written', ['worker:after-outcome'], 2],
] as const)('a worker that dies %s leaves one menu in the end', async (_, stopAt, made) => {
  const shop = await system.openShop('app-a');
  const calls = menuChangesOf(system, shop);
  const first = await system.startWorker();
  await calls.upload(changeableMenu());
  await first.stop();
  const worker = await system.startChild({ role: 'worker', stopAt });
  const answer = await calls.change(CHANGE, { prefer: 'respond-async' });
  await worker.reached(1);
  if (stopAt.length > 1) {
    worker.go();
    await worker.reached(2);
  }
  expect(await shop.requests('change')).toHaveLength(made);
  worker.kill('SIGKILL');
  await worker.ended;
  const last = await system.startWorker();
  const uploadId = answer.changes[0]?.upload_id ?? '';
  await until(async () => (await calls.of(uploadId)).state === 'uploaded');
  const shown = JSON.stringify((await shownInApp('app-a', shop)).items);
  expect(shown).toEqual(JSON.stringify((await calls.of(uploadId, '/shown')).items));
  expect(shown).toContain('15900');
  await last.stop();
});
