import { createAppD, rappiIdOf } from '../../dev/sandbox/app-d/app-d';
import { startSandbox } from '../../dev/sandbox/sandbox';
import { simulateApp } from '../../dev/sandbox/simulated-app';
import { createAppDClient } from '../../src/delivery-apps/app-d/client';
import { parseCidrs } from '../../src/platform/outbound/addresses';
import { createOutboundClient } from '../../src/platform/outbound/http-client';
import { item } from './app-c-menus';
import { transformD } from './app-d-menus';

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

test('the simulated App D answers about approvals by either path, and shows prices with decimals', async () => {
  const own = { clientId: 'client', clientSecret: 'secret' };
  const sandbox = await startSandbox({ port: 0, parts: [simulateApp(createAppD(own))] });
  const baseUrl = `${sandbox.url}/app-d`;
  const call = async (path: string, token: string, init: RequestInit = {}) => {
    const headers = { 'x-authorization': `Bearer ${token}` };
    const answer = await fetch(`${baseUrl}${path}`, { ...init, headers });
    return [answer.status, await answer.text()] as const;
  };
  const tokenOf = async (use: string) => {
    const body = JSON.stringify({ client_id: 'client', client_secret: 'secret' });
    const login = `/restaurants/auth/v1/token/login/${use}`;
    const [, text] = await call(login, '', { method: 'POST', body });
    return (JSON.parse(text) as { access_token: string }).access_token;
  };
  const [menus, utils] = [await tokenOf('integrations'), await tokenOf('utils')];
  const menuPath = '/api/v2/restaurants-integrations-public-api/menu';
  const days = '?from=2020-01-01&to=2100-01-01';
  const details = `/rest-ops-utils/store/menu/${rappiIdOf('s1')}/details`;
  const payload = transformD({ items: [item('I1', { price: { value: '7500' } })] }).payload;
  const body = JSON.stringify({ ...payload, storeId: 's1' });
  await fetch(`${baseUrl}/_sandbox/faults`, {
    method: 'POST',
    body: '{"kind":"approval","mode":"bare"}',
  });
  expect(await call(menuPath, menus, { method: 'POST', body })).toEqual([200, '']);
  const [first] = JSON.parse((await call(`${details}${days}`, utils))[1]) as unknown[];
  expect(first).toMatchObject({ status: 'PENDING', error_description: null });
  // From then on this question is answered without a word.
  expect(await call(`${menuPath}/approved/s1`, menus)).toEqual([200, '']);
  const [decided] = JSON.parse((await call(`${details}${days}`, utils))[1]) as unknown[];
  expect(decided).toMatchObject({ status: 'APPROVED' });
  expect((await call(menuPath, menus))[1]).toContain('"price":75.0');
  expect(await call(`${details}?from=2020-01-01&to=2020-01-02`, utils)).toEqual([200, '[]']);
  expect((await call(`${details}${days}`, menus))[0]).toBe(401);
  expect((await call(menuPath, utils))[0]).toBe(401);
  expect((await call(details, utils))[0]).toBe(400);
  await sandbox.close();
});
