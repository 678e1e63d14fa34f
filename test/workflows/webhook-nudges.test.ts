import { createLog } from '../../src/platform/observe/log';
import { until } from '../support/until';
import { createNudger } from '../../src/platform/queue/nudger';
import { nudgeLinesOf } from '../../src/webhooks/lines/line-signals';
import { loadConfig } from '../../src/platform/config/config';
import { createTemporalClient, PROMPT_CALL_MS } from '../../src/platform/temporal/connection';
import { prepareWebhookSystem, type WebhookSystem } from '../support/webhook-system';

let webhooks: WebhookSystem;
beforeAll(async () => {
  webhooks = await prepareWebhookSystem();
});
afterAll(() => webhooks.stop());

test('a thousand events without a worker leave a few signals in one history, and all go out when a worker comes', async () => {
  const { rows, receiver, system } = webhooks;
  const temporal = createTemporalClient(loadConfig(system.env), { callTimeoutMs: PROMPT_CALL_MS });
  const nudger = createNudger({ temporal, log: createLog('silent') });
  const subscription = await rows.subscribe({ url: `${receiver.url}/absent` });
  const { subscriptionId, line } = subscription;
  for (let n = 0; n < 1_000; n += 1) {
    if (n % 50 === 0) await rows.put(subscription);
    nudgeLinesOf(nudger, [{ subscriptionId, line, alive: false, epoch: 0, blockedBy: null }]);
    if (n % 10 === 0) await new Promise((resolve) => setTimeout(resolve, 5));
  }
  await nudger.ended();
  const { events } = await webhooks.workflow(subscription).fetchHistory();
  const signals = events?.filter((event) => event.workflowExecutionSignaledEventAttributes) ?? [];
  expect(signals.length).toBeLessThan(10);
  await system.startWorker();
  await until(async () => (await rows.countPending(subscription)) === 0);
  expect(receiver.receivedAt('/absent')).toHaveLength(20);
  await temporal.connection.close();
});
