import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '../support/until';
import { loadConfig } from '../../src/platform/config/config';
import { TASK_QUEUES } from '../../src/platform/temporal/workflow-names';
import { createTemporalClient } from '../../src/platform/temporal/connection';
import { prepareSystem, stopSystems } from '../support/system';
import { startWebhookReceiver, type WebhookReceiver } from '../support/webhook-receiver';
import {
  createWebhookRows,
  type TestSubscription,
  type WebhookRows,
} from '../support/webhook-rows';

let receiver: WebhookReceiver;
beforeAll(async () => {
  receiver = await startWebhookReceiver();
});
afterEach(stopSystems);
afterAll(() => receiver.close());

/** A system whose receivers take their time, and subscriptions in it. */
async function prepareSlow(path: string, count: number) {
  receiver.answer(path, (response) => void setTimeout(() => response.writeHead(204).end(), 150));
  const system = await prepareSystem({ webhookLingerMs: 2_000 });
  const rows = await createWebhookRows(system.sql, loadConfig(system.env).ENCRYPTION_KEY);
  const subscriptions: TestSubscription[] = [];
  for (let n = 0; n < count; n += 1) {
    subscriptions.push(await rows.subscribe({ url: receiver.url + path, maxInFlight: 2 }));
  }
  return { system, rows, subscriptions };
}

async function untilSent(rows: WebhookRows, subscriptions: readonly TestSubscription[]) {
  await until(async () => {
    const pending = await Promise.all(subscriptions.map((each) => rows.countPending(each)));
    return pending.every((each) => each === 0);
  }, 40_000);
}

test('when the number of shards changes during deliveries, all arrive, none twice', async () => {
  const { system, rows, subscriptions } = await prepareSlow('/resharded', 20);
  for (const each of subscriptions) await rows.put(each, 20);
  const linesInUse = async () => {
    const found = await system.sql<{ line: number }[]>`
      select distinct line from subscription order by line`;
    return found.map((row) => row.line);
  };
  await system.startWorker(undefined, { WEBHOOK_SHARDS: '3' });
  expect(await linesInUse()).toEqual([0, 1, 2]);
  await until(() => receiver.receivedAt('/resharded').length > 60);
  await system.startWorker(undefined, { WEBHOOK_SHARDS: '11' });
  expect((await linesInUse()).length).toBeGreaterThan(5);
  await until(() => receiver.receivedAt('/resharded').length > 200);
  await system.startWorker(undefined, { WEBHOOK_SHARDS: '2' });
  expect(await linesInUse()).toEqual([0, 1]);
  await untilSent(rows, subscriptions);
  const ids = receiver.receivedAt('/resharded').map((each) => each.id);
  expect(ids).toHaveLength(400);
  expect(new Set(ids).size).toBe(400);
});

test('deliveries from a release with a workflow per subscription go out, and its runs are ended', async () => {
  const { system, rows, subscriptions } = await prepareSlow('/upgraded', 3);
  const temporal = createTemporalClient(loadConfig(system.env));
  const old = await Promise.all(
    subscriptions.map(({ subscriptionId }) =>
      temporal.workflow.start('webhookSubscription', {
        workflowId: `webhooks/${subscriptionId}`,
        taskQueue: TASK_QUEUES.webhooks,
        args: [subscriptionId],
      }),
    ),
  );
  for (const each of subscriptions) await rows.put(each, 5);
  // As an old worker leaves them that was killed, and as an API of that release makes new ones.
  await system.sql`
    update delivery set lease_epoch = 3, lease_until = now() + interval '30 s'`;
  await system.sql`update subscription set line = 0, drain_epoch = 3, alive_until = now()`;
  await sleep(1_500); // until Temporal's list has the runs
  await system.startWorker();
  await untilSent(rows, subscriptions);
  expect(receiver.receivedAt('/upgraded')).toHaveLength(15);
  for (const run of old) {
    expect((await run.describe()).status.name).toBe('TERMINATED');
  }
  await temporal.connection.close();
});
