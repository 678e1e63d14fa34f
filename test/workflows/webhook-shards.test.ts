import { until } from '../support/until';
import { loadConfig } from '../../src/platform/config/config';
import { prepareSystem, stopSystems } from '../support/system';
import {
  type ReceivedWebhook,
  startWebhookReceiver,
  type WebhookReceiver,
} from '../support/webhook-receiver';
import {
  createWebhookRows,
  type TestSubscription,
  type WebhookRows,
} from '../support/webhook-rows';

const MAX_IN_FLIGHT = 2;

let receiver: WebhookReceiver;
beforeAll(async () => {
  receiver = await startWebhookReceiver();
});
afterEach(stopSystems);
afterAll(() => receiver.close());

/** A system whose receivers, one for each subscription, take their time; `most`: at once of any of them. */
async function prepareSlow(path: string, count: number) {
  const seen = { most: 0 };
  const receiveSlowly = (at: string): void => {
    let open = 0;
    receiver.answer(at, (response) => {
      open += 1;
      seen.most = Math.max(seen.most, open);
      setTimeout(() => {
        open -= 1;
        response.writeHead(204).end();
      }, 150);
    });
  };
  const system = await prepareSystem({ webhookLingerMs: 2_000 });
  const rows = await createWebhookRows(system.sql, loadConfig(system.env).ENCRYPTION_KEY);
  const subscriptions: TestSubscription[] = [];
  for (let n = 0; n < count; n += 1) {
    receiveSlowly(`${path}/${n}`);
    subscriptions.push(
      await rows.subscribe({ url: `${receiver.url}${path}/${n}`, maxInFlight: MAX_IN_FLIGHT }),
    );
  }
  return { system, rows, subscriptions, seen };
}

/** What all receivers of `prepareSlow` got. */
function receivedBelow(path: string): readonly ReceivedWebhook[] {
  return receiver.received.filter((each) => each.path.startsWith(`${path}/`));
}

async function untilSent(rows: WebhookRows, subscriptions: readonly TestSubscription[]) {
  await until(async () => {
    const pending = await Promise.all(subscriptions.map((each) => rows.countPending(each)));
    return pending.every((each) => each === 0);
  }, 40_000);
}

test('when the number of shards changes during deliveries, all arrive, none twice, and no receiver gets more at once', async () => {
  const { system, rows, subscriptions, seen } = await prepareSlow('/resharded', 20);
  for (const each of subscriptions) await rows.put(each, 20);
  const linesInUse = async () => {
    const found = await system.sql<{ line: number }[]>`
      select distinct line from subscription order by line`;
    return found.map((row) => row.line);
  };
  await system.startWorker(undefined, { WEBHOOK_SHARDS: '3' });
  expect(await linesInUse()).toEqual([0, 1, 2]);
  await until(() => receivedBelow('/resharded').length > 60);
  await system.startWorker(undefined, { WEBHOOK_SHARDS: '11' });
  expect((await linesInUse()).length).toBeGreaterThan(5);
  await until(() => receivedBelow('/resharded').length > 200);
  await system.startWorker(undefined, { WEBHOOK_SHARDS: '2' });
  expect(await linesInUse()).toEqual([0, 1]);
  await untilSent(rows, subscriptions);
  const ids = receivedBelow('/resharded').map((each) => each.id);
  expect(ids).toHaveLength(400);
  expect(new Set(ids).size).toBe(400);
  expect(seen.most).toBe(MAX_IN_FLIGHT);
});
