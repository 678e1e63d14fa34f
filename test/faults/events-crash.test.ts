import type { Checkpoint } from '../../src/platform/checkpoint';
import { until } from '../support/until';
import { prepareSystem, stopSystems } from '../support/system';
import { startWebhookReceiver, type WebhookReceiver } from '../support/webhook-receiver';

let receiver: WebhookReceiver;
beforeAll(async () => {
  receiver = await startWebhookReceiver();
});
afterAll(async () => {
  await stopSystems();
  await receiver.close();
});

interface Told {
  readonly id: string;
  readonly uploadId: string;
  readonly state: string;
}

function told(): Told[] {
  return receiver.received.map(({ id, body }) => {
    const { data } = JSON.parse(body) as { data: { upload_id: string; state: string } };
    return { id, uploadId: data.upload_id, state: data.state };
  });
}

/** Both uploads stand there. */
const twice = (checkpoint: Checkpoint) => [checkpoint, checkpoint];

test('workers killed before, during and after writing an end report each end exactly once', async () => {
  const system = await prepareSystem({ env: { WEBHOOK_ALLOW_HTTP: 'true' } });
  const { sql } = system;
  await system.startApi();
  const made = await fetch(`${system.apiUrl()}/api/v1/events/webhook/manage`, {
    method: 'POST',
    headers: { authorization: `Bearer ${system.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ url: `${receiver.url}/platform`, events: ['upload.ended'] }),
  });
  expect(made.status).toBe(200);
  const written = () => sql<{ state: string }[]>`select state from any_delivery where type = 3`;
  const async = { headers: { prefer: 'respond-async' } };
  const shops = await Promise.all([system.openShop('app-b'), system.openShop('app-b')]);

  const before = await system.startChild({
    role: 'worker',
    stopAt: twice('worker:before-outcome'),
  });
  const uploads = [await shops[0]?.upload(1, async), await shops[1]?.upload(1, async)];
  await before.reached(2);
  before.kill('SIGKILL');
  await before.ended;
  expect(await written()).toEqual([]);

  const after = await system.startChild({ role: 'worker', stopAt: twice('worker:after-outcome') });
  await after.reached(2);
  after.kill('SIGKILL');
  await after.ended;
  expect(await written()).toHaveLength(2);

  const telling = await system.startChild({ role: 'worker', stopAt: ['consumer:before-record'] });
  await telling.reached(1);
  telling.kill('SIGKILL');
  await telling.ended;
  expect(told().length).toBeGreaterThan(0);

  await system.startWorker();
  await until(async () => (await written()).every(({ state }) => state === 'delivered'));
  expect(await written()).toHaveLength(2);
  const ends = new Map(told().map((each) => [each.id, each]));
  expect([...ends.values()].map(({ uploadId }) => uploadId).toSorted()).toEqual(
    uploads.map((each) => each?.uploadId).toSorted(),
  );
  for (const { state } of ends.values()) expect(state).toBe('uploaded');
});
