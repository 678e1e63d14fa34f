import { loadConfig } from '../../src/platform/config/config';
import { until } from '../support/until';
import { prepareSystem, stopSystems } from '../support/system';
import { startWebhookReceiver } from '../support/webhook-receiver';
import { createWebhookRows, type TestSubscription } from '../support/webhook-rows';

afterEach(stopSystems);

test('an added worker gets half of the lines while there is traffic, and nothing is lost', async () => {
  const receiver = await startWebhookReceiver();
  const system = await prepareSystem();
  const rows = await createWebhookRows(system.sql, loadConfig(system.env).ENCRYPTION_KEY);
  const subscriptions: TestSubscription[] = [];
  for (let n = 0; n < 60; n += 1) {
    subscriptions.push(await rows.subscribe({ url: `${receiver.url}/busy` }));
  }
  const pumping = new AbortController();
  let put = 0;
  const pump = (async () => {
    for (let nth = 0; !pumping.signal.aborted; nth += 1) {
      const to = subscriptions[nth % subscriptions.length];
      if (to) await rows.put(to);
      put += 1;
    }
  })();
  const linesOfEach = async () => {
    const found = await system.sql<{ lines: number }[]>`
      select count(*)::int as lines from webhook_line where alive_until > now() group by worker`;
    return found.map(({ lines }) => lines);
  };
  // Fewer lines than by default: in a test all workers are one process.
  const env = { WEBHOOK_SHARDS: '4' };
  await system.startWorker(undefined, env);
  await until(async () => (await linesOfEach()).join() === '4');
  await system.startWorker(undefined, env);
  await until(async () => (await linesOfEach()).join() === '2,2');
  pumping.abort();
  await pump;
  const arrived = () => new Set(receiver.received.map(({ id }) => id)).size;
  await until(() => arrived() >= put);
  expect(arrived()).toBe(put);
  await receiver.close();
}, 180_000);
