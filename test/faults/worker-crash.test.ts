import type { Checkpoint } from '../../src/platform/checkpoint';
import type { Shop, SimulatedAppName, UploadAnswer } from '../support/shop';
import { prepareSystem, stopSystems, type System } from '../support/system';

const PLACES: readonly (readonly [SimulatedAppName, Checkpoint])[] = [
  ['app-b', 'worker:claimed'],
  ['app-b', 'worker:before-token'],
  ['app-b', 'worker:before-transform'],
  ['app-b', 'worker:before-push'],
  ['app-b', 'worker:after-push'],
  ['app-b', 'worker:before-outcome'],
  ['app-b', 'worker:after-outcome'],
  ['app-a', 'worker:after-push'],
  ['app-c', 'worker:before-push'],
  ['app-c', 'worker:after-push'],
  ['app-c', 'worker:before-outcome'],
];

let system: System;
const shops: Shop[] = [];
const answers: Promise<UploadAnswer>[] = [];
/** One upload stops at each place when the only worker is killed; then another worker starts. */
beforeAll(async () => {
  system = await prepareSystem();
  await system.startApi();
  const stopAt = PLACES.map(([, checkpoint]) => checkpoint);
  const mortal = await system.startChild({ role: 'worker', stopAt });
  for (const [index, [app]] of PLACES.entries()) {
    const shop = await system.openShop(app);
    shops.push(shop);
    answers.push(shop.upload(1));
    await mortal.reached(index + 1);
  }
  mortal.kill('SIGKILL');
  await mortal.ended;
  await system.startWorker();
});
afterAll(stopSystems);

describe.each(PLACES.map(([app, checkpoint], index) => ({ app, checkpoint, index })))(
  'a worker killed with an upload for $app at $checkpoint',
  ({ app, checkpoint, index }) => {
    test('loses nothing: the upload ends by itself, and its caller gets the outcome', async () => {
      const shop = shops[index];
      const answer = await answers[index];
      const end = await shop?.ended(answer?.uploadId ?? '');
      expect(end).toMatchObject({ state: 'uploaded', messages: [] });
      expect([200, 202]).toContain(answer?.status);
    });

    test('repeats only a push that may not have happened', async () => {
      const accepted = await shops[index]?.accepted();
      // The answer is lost, so the same bytes are sent once more: an upload replaces the whole menu. A task is polled
      // again instead.
      const twice =
        checkpoint === 'worker:after-push' ||
        (checkpoint === 'worker:before-outcome' && app !== 'app-c');
      expect(accepted).toEqual(twice ? ['1', '1'] : ['1']);
    });
  },
);
