import { createAppD, rappiIdOf } from '../../dev/sandbox/app-d/app-d';
import { startSandbox } from '../../dev/sandbox/sandbox';
import { simulateApp } from '../../dev/sandbox/simulated-app';
import { createAppDClient } from '../../src/delivery-apps/app-d/client';
import { parseCidrs } from '../../src/platform/outbound/addresses';
import { createOutboundClient } from '../../src/platform/outbound/http-client';

test('a store that got its menu in the app’s own tool is known: its menu can be read, and it can be paused', async () => {
  const own = { clientId: 'client', clientSecret: 'secret' };
  const sandbox = await startSandbox({ port: 0, parts: [simulateApp(createAppD(own))] });
  const baseUrl = `${sandbox.url}/app-d`;
  const http = createOutboundClient({ allowCidrs: parseCidrs('127.0.0.1/32'), userAgent: 'test' });
  const client = createAppDClient({ http, baseUrl, timeoutMs: 5_000 });
  const fetched = await client.fetchToken({ ...own, store: {} });
  const token = fetched.kind === 'token' ? fetched.token : '';
  const set = await fetch(`${baseUrl}/_sandbox/stores/by-hand/menu`, {
    method: 'PUT',
    body: '{"payload":{"items":[]}}',
  });
  expect(set.status).toBe(200);
  const call = { token, appStoreId: 'by-hand' };
  expect(await client.readMenu?.(call)).toMatchObject({ kind: 'read' });
  expect(await client.readMenu?.({ ...call, appStoreId: 'other' })).toEqual({ kind: 'absent' });
  const store = { rappi_store_id: String(rappiIdOf('by-hand')) };
  const pause = { paused: true, until: null, reason: null };
  expect(await client.pauseStore({ ...call, ...pause, store })).toEqual({ kind: 'done' });
  await sandbox.close();
  await http.close();
});
