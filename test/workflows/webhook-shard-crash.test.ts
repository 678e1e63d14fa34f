import { until } from '../support/until';
import { prepareWebhookSystem, type WebhookSystem } from '../support/webhook-system';

let webhooks: WebhookSystem;
beforeAll(async () => {
  webhooks = await prepareWebhookSystem();
});
afterAll(() => webhooks.stop());

const IN_FLIGHT = 50;
const OUTSTANDING = 500;

test('a worker killed with 500 outstanding loses none, and those in flight arrive again with the same id', async () => {
  const { rows, receiver, system } = webhooks;
  receiver.answer(
    '/killed',
    (response) => void setTimeout(() => response.writeHead(204).end(), 300),
  );
  const mortal = await system.startChild({ role: 'worker' });
  const subscription = await rows.subscribe({
    url: `${receiver.url}/killed`,
    maxInFlight: IN_FLIGHT,
  });
  const ids = await rows.put(subscription, OUTSTANDING);
  await webhooks.announce(subscription);
  await until(() => receiver.received.length > 120);
  mortal.kill('SIGKILL');
  await mortal.ended;
  await system.startWorker();
  await until(async () => (await rows.countPending(subscription)) === 0);
  const received = receiver.received.map((each) => each.id);
  expect(new Set(received)).toEqual(new Set(ids.map((id) => id.replace('dlv', 'msg'))));
  // Those in flight, and those answered in the last milliseconds whose outcome was not recorded yet.
  expect(received.length - OUTSTANDING).toBeLessThanOrEqual(2 * IN_FLIGHT);
});
