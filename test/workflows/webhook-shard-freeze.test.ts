import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '../support/until';
import { prepareWebhookSystem, type WebhookSystem } from '../support/webhook-system';

let webhooks: WebhookSystem;
beforeEach(async () => {
  webhooks = await prepareWebhookSystem();
});
afterEach(() => webhooks.stop());

test('a worker frozen past its lease and continued sends nothing twice and overwrites nothing', async () => {
  const { rows, receiver, system } = webhooks;
  const zombie = await system.startChild({ role: 'worker', stopAt: ['consumer:claimed'] });
  const subscription = await rows.subscribe({ url: `${receiver.url}/zombie` });
  const ids = await rows.put(subscription, 15);
  await webhooks.announce(subscription);
  await zombie.reached(1);
  zombie.kill('SIGSTOP');
  await system.startWorker();
  // Its lease is over: the other one has its shards, and sends what it had claimed.
  await until(() => receiver.received.length === 15);
  // Continued, it takes part again; the consumer that it was in the middle of still believes that the shard is its own.
  zombie.kill('SIGCONT');
  await until(async () => (await rows.countPending(subscription)) === 0);
  zombie.go();
  await rows.put(subscription);
  await webhooks.announce(subscription);
  await until(async () => (await rows.countPending(subscription)) === 0);
  await sleep(1_500);
  expect(receiver.received).toHaveLength(16);
  for (const id of ids) {
    expect(await rows.attempts(id)).toHaveLength(1);
    expect(await rows.delivery(id)).toMatchObject({ state: 'acknowledged', attemptsMade: 1 });
  }
});

test('a stopping worker hands over without a loss and without a repeat', async () => {
  const { rows, receiver, system } = webhooks;
  receiver.answer(
    '/handed',
    (response) => void setTimeout(() => response.writeHead(204).end(), 100),
  );
  const leaving = await system.startWorker();
  const subscription = await rows.subscribe({ url: `${receiver.url}/handed` });
  const ids = await rows.put(subscription, 200);
  await webhooks.announce(subscription);
  await until(() => receiver.received.length > 40);
  const stopped = leaving.stop();
  await system.startWorker();
  await stopped;
  await until(async () => (await rows.countPending(subscription)) === 0);
  expect(receiver.received.map((each) => each.id).toSorted()).toEqual(
    ids.map((id) => id.replace('dlv', 'msg')).toSorted(),
  );
});
