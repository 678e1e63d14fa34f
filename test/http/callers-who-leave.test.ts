import { startTestApi, type TestApi } from '../support/api';
import { untilUsed } from '../support/bounds';
import { connectApps } from '../support/connect-apps';
import {
  createLinkedStore,
  endDelivery,
  type LinkedStore,
  nextPending,
  payloadsFor,
  STOCK_EVENT,
} from '../support/inventory';
import { until } from '../support/until';
import { versionedMenu } from '../support/versioned-menu';

let api: TestApi;
let linked: LinkedStore;
let integrationId: number;
beforeAll(async () => {
  api = await startTestApi({ ACK_WAIT: '60s', UPLOAD_WAIT: '60s' });
  linked = await createLinkedStore(api, 'System');
  await connectApps(api, linked.storeId, ['app-b']);
  const [row] = await api.sql<{ id: number }[]>`select integration_id as id from store_integration`;
  integrationId = row?.id ?? 0;
});
afterAll(() => api.stop());

/** Sends a request with an idempotency key; the returned function hangs up. */
function send(path: string, body: unknown, key: string) {
  const hangUp = new AbortController();
  const answer = fetch(`${api.url}/api/v1${path}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${linked.owner.token}`,
      'content-type': 'application/json',
      'idempotency-key': key,
    },
    body: JSON.stringify(body),
    signal: hangUp.signal,
  });
  return {
    answer,
    async hangUp() {
      hangUp.abort();
      await answer.catch(() => {});
      await untilUsed(api, 'waiting_requests', 0);
      await until(async () => {
        const taken =
          await api.sql`select from idempotency_key where lease_until > now() and status is null`;
        return taken.length === 0;
      });
    },
  };
}

test('a caller of a stock event who hangs up frees the permit of the wait; a retry waits again, and hears the outcome', async () => {
  const path = `/pos/store/${linked.storeId}/inventory/stock`;
  const first = send(path, STOCK_EVENT, 'event');
  await untilUsed(api, 'waiting_requests', 1);
  await first.hangUp();
  // As if the retry came when the wait of the first try was over.
  await api.sql`update delivery set awaited_until = now()`;
  const retry = send(path, STOCK_EVENT, 'event');
  await untilUsed(api, 'waiting_requests', 1);
  await until(async () => {
    const awaited = await api.sql`
      select from delivery where awaited_until > now() + interval '50 s'`;
    return awaited.length === 1;
  });
  const pending = await nextPending(api.sql, linked.systemId);
  await endDelivery(api.sql, pending, { state: 'acknowledged', status: 200 });
  expect((await retry.answer).status).toBe(200);
  expect(await payloadsFor(api.sql, linked)).toHaveLength(1);
});

test('so does a caller of an upload', async () => {
  const upload = { store_id: linked.storeId, integration_id: integrationId, ...versionedMenu(1) };
  for (let time = 0; time < 2; time += 1) {
    const sent = send('/menus/upload', upload, 'upload');
    await untilUsed(api, 'waiting_requests', 1);
    await sent.hangUp();
  }
  expect(await api.sql`select from menu_upload`).toHaveLength(1);
});
