import { menuChangesOf, shownInApp } from '../support/menu-changes';
import { prepareSystem, stopSystems } from '../support/system';
import { until } from '../support/until';
import { changeableMenu } from './changeable-menu';

afterAll(stopSystems);

const CHANGE = {
  items: [
    { external_id: 'I1', price: { value: '15900' } },
    { external_id: 'I2', price: { value: '2600' } },
  ],
};

test.each([
  ['worker:before-item-call', 0],
  ['worker:after-outcome', 2],
] as const)(
  'a worker that dies %s, after %i calls, leaves one menu in the end',
  async (stopAt, made) => {
    const system = await prepareSystem({ timing: { slowRetryMs: [300] } });
    await system.startApi();
    const shop = await system.openShop('app-a');
    const calls = menuChangesOf(system, shop);
    const first = await system.startWorker();
    await calls.upload(changeableMenu());
    await first.stop();
    const worker = await system.startChild({ role: 'worker', stopAt: [stopAt] });
    const answer = await calls.change(CHANGE, { prefer: 'respond-async' });
    await worker.reached(1);
    expect(await shop.requests('change')).toHaveLength(made);
    worker.kill('SIGKILL');
    await worker.ended;
    await system.startWorker();
    const uploadId = answer.changes[0]?.upload_id ?? '';
    await until(async () => (await calls.of(uploadId)).state === 'uploaded');
    const shown = JSON.stringify((await shownInApp('app-a', shop)).items);
    expect(shown).toEqual(JSON.stringify((await calls.of(uploadId, '/shown')).items));
    expect(shown).toContain('15900');
  },
);
