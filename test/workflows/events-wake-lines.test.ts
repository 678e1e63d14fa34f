import { prepareSystem, stopSystems, type System } from '../support/system';
import { until } from '../support/until';
import { startWebhookReceiver, type WebhookReceiver } from '../support/webhook-receiver';

let receiver: WebhookReceiver;
let system: System;
beforeAll(async () => {
  receiver = await startWebhookReceiver();
  system = await prepareSystem({ env: { WEBHOOK_ALLOW_HTTP: 'true' }, webhookLingerMs: 200 });
  await system.startApi();
  await system.startWorker();
});
afterAll(async () => {
  await stopSystems();
  await receiver.close();
});

/** A line without a drain that is found only by looking waits for three seconds and more. */
const PROMPTLY_MS = 2_500;

test('an event for the platform starts the drain of a line that has come to rest', async () => {
  const made = await fetch(`${system.apiUrl()}/api/v1/events/webhook/manage`, {
    method: 'POST',
    headers: { authorization: `Bearer ${system.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ url: `${receiver.url}/platform`, events: ['upload.ended'] }),
  });
  expect(made.status).toBe(200);
  const isAtRest = async () => {
    const rows = await system.sql`
      select from subscription s join webhook_line w using (line)
      where s.type = 3 and w.alive_until is null`;
    return rows.length === 1;
  };
  const shop = await system.openShop('app-b');
  const waits: number[] = [];
  for (const version of [1, 2, 3]) {
    await until(isAtRest);
    await shop.upload(version);
    const endedAt = Date.now();
    await until(async () => receiver.received.length === version);
    waits.push(Date.now() - endedAt);
  }
  expect(Math.min(...waits)).toBeLessThan(1_000);
  expect(Math.max(...waits)).toBeLessThan(PROMPTLY_MS);
});
