import { prepareSystem, startSystem, stopSystems, type System } from '../support/system';
import { ITEMS_EVENT } from '../support/inventory';
import { until } from '../support/until';
import { read, untilItWaits, type WaitingFor } from '../support/waiting';
import { startWebhookReceiver, status, type WebhookReceiver } from '../support/webhook-receiver';

/** A retry is due long after the test. */
const ENV = { WEBHOOK_RETRY_SCHEDULE: '1h,1h', WEBHOOK_ALLOW_HTTP: 'true' };

let system: System;
let receiver: WebhookReceiver;
beforeAll(async () => {
  [system, receiver] = await Promise.all([startSystem({ env: ENV }), startWebhookReceiver()]);
});
afterAll(async () => {
  await stopSystems();
  await receiver.close();
});

interface Delivery {
  readonly delivery_id: string;
  readonly state: string;
  readonly waiting_for: WaitingFor | null;
}

async function post(of: System, path: string, body: object) {
  const response = await fetch(`${of.apiUrl()}/api/v1${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${of.token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const answer = await response.json();
  if (response.status >= 300) throw new Error(JSON.stringify(answer));
  return answer.data;
}

let made = 0;

/** A store with an inventory system, whose webhook for items has this path and these settings. */
async function openReceiver(path: string, settings: object = {}, of = system) {
  const shop = await of.openShop('app-b');
  const { inventory_system_id: systemId } = await post(of, '/inventory/system/create', {
    name: `Stock ${(made += 1)}`,
  });
  const webhook = { type: 1, inventory_system_id: systemId };
  const url = `${receiver.url}${path}`;
  await post(of, '/inventory/system/webhook/manage', { ...webhook, url, ...settings });
  await post(of, '/inventory/system/store/link', {
    inventory_system_id: systemId,
    store_id: shop.storeId,
    external_store_id: 'ext-1',
  });
  const own = (id: string) => read<Delivery>(of, `/webhooks/deliveries/${id}`);
  return {
    webhook,
    own,
    async send(): Promise<string> {
      const sent = await post(of, `/pos/store/${shop.storeId}/inventory/items`, ITEMS_EVENT);
      return sent.deliveries[0].delivery_id;
    },
    /** Waits for the reason in the delivery's own answer, which the list repeats. */
    async untilItWaits(id: string, reason: string): Promise<WaitingFor> {
      const waits = await untilItWaits(() => own(id), reason);
      const list = await read<Delivery[]>(
        of,
        `/webhooks/deliveries?inventory_system_id=${systemId}`,
      );
      expect(list.find((each) => each.delivery_id === id)?.waiting_for).toEqual(waits);
      return waits;
    },
  };
}

test.concurrent('a delivery waits for a receiver that fails, with what it said, or why it gave no answer', async () => {
  receiver.answer('/failing', status(500, '{"message":"The disk is full."}'));
  const failing = await openReceiver('/failing');
  const startedAt = Date.now();
  const waits = await failing.untilItWaits(await failing.send(), 'receiver_failing');
  expect(waits).toMatchObject({ message: 'The disk is full.', attempts: 1 });
  expect(Date.parse(waits.since)).toBeGreaterThan(startedAt - 1_000);
  expect(Date.parse(waits.next_attempt_at ?? '') - Date.now()).toBeGreaterThan(30 * 60_000);

  receiver.answer('/silent', (response) => response.destroy());
  const silent = await openReceiver('/silent');
  const unanswered = await silent.untilItWaits(await silent.send(), 'receiver_failing');
  expect(unanswered.message).toMatch(/^[a-z_]+$/);
});

test.concurrent.each([429, 503])(
  'a delivery waits for a busy receiver that answered %d with Retry-After',
  async (code) => {
    const path = `/busy-${code}`;
    receiver.answer(path, status(code, '', { 'retry-after': '7200' }));
    const busy = await openReceiver(path);
    const waits = await busy.untilItWaits(await busy.send(), 'receiver_busy');
    expect(waits).toMatchObject({ message: `status ${code}`, attempts: 1 });
    expect(waits.next_attempt_at).not.toBeNull();
  },
);

test.concurrent('after ten failures a delivery waits for the end of the pause, and when it is resent too', async () => {
  receiver.answer('/paused', status(500));
  const paused = await openReceiver('/paused');
  const ids = await Promise.all(Array.from({ length: 10 }, () => paused.send()));
  await until(async () => (await paused.own(ids[0] ?? '')).waiting_for?.reason === 'paused');
  const waits = await paused.untilItWaits(await paused.send(), 'paused');
  expect(waits).toMatchObject({ message: 'The receiver failed 10 times in a row.', attempts: 0 });
  expect(Date.parse(waits.next_attempt_at ?? '') - Date.now()).toBeLessThan(30_000);
  expect(await paused.untilItWaits(ids[3] ?? '', 'paused')).toMatchObject({
    message: 'status 500',
  });
});

test.concurrent('a delivery to a disabled webhook waits until it is enabled', async () => {
  const disabled = await openReceiver('/disabled');
  await post(system, '/inventory/system/webhook/disable', disabled.webhook);
  const id = await disabled.send();
  expect(await disabled.untilItWaits(id, 'disabled')).toMatchObject({
    message: 'The webhook is disabled.',
    next_attempt_at: null,
  });
  await post(system, '/inventory/system/webhook/enable', disabled.webhook);
  await until(async () => (await disabled.own(id)).state === 'delivered');
  expect((await disabled.own(id)).waiting_for).toBeNull();
});

test.concurrent('a delivery waits for a permit while its receiver gets only so many a second, or has all its permits taken', async () => {
  const slow = await openReceiver('/slowly', { max_per_second: 1 });
  await Promise.all(Array.from({ length: 11 }, () => slow.send()));
  await slow.untilItWaits(await slow.send(), 'permit');

  receiver.answer('/taken', (response) => {
    setTimeout(() => response.writeHead(204).end(), 30_000).unref();
  });
  const taken = await openReceiver('/taken', { max_in_flight: 1, max_per_second: null });
  const first = await taken.send();
  await until(async () => receiver.receivedAt('/taken').length === 1);
  expect((await taken.own(first)).waiting_for).toBeNull();
});

test('a delivery waits for our own side while there is no worker', async () => {
  const idle = await prepareSystem({ env: ENV });
  await idle.startApi();
  const untaken = await openReceiver('/idle', {}, idle);
  const id = await untaken.send();
  expect((await untaken.own(id)).waiting_for).toBeNull();
  await idle.sql`update delivery set due_at = due_at - interval '1 min'`;
  await untaken.untilItWaits(id, 'our_side');
});
