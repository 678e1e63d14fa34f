import { type AppDOptions, createAppD } from '../../dev/sandbox/app-d/app-d';
import { startSandbox, type Sandbox } from '../../dev/sandbox/sandbox';
import { simulateApp } from '../../dev/sandbox/simulated-app';
import { createAppDClient } from '../../src/delivery-apps/app-d/client';
import { tokenBaseUrl } from '../../src/delivery-apps/app-d/rules';
import type { WirePayload } from '../../src/delivery-apps/app-d/wire';
import type { PollOutcome, PushOutcome } from '../../src/delivery-apps/app-client';
import { parseCidrs } from '../../src/platform/outbound/addresses';
import { createOutboundClient } from '../../src/platform/outbound/http-client';
import { type HostileServer, startAnswering } from '../delivery-apps/hostile-server';
import { item } from './app-c-menus';
import { transformD } from './app-d-menus';

const CREDENTIAL = { clientId: 'client', clientSecret: 'secret', store: {} };
const DAY_MS = 86_400_000;
const C2 = { id: 'C2', name: 'C2', minQty: 0, maxQty: 0, sortingPosition: 1 };
const http = createOutboundClient({ allowCidrs: parseCidrs('127.0.0.1/32'), userAgent: 'test' });
const open: (Sandbox | HostileServer)[] = [];
afterEach(async () => {
  for (const server of open.splice(0)) await server.close();
});
afterAll(() => http.close());

const menuOf = (price: string) =>
  transformD({ items: [item('I1', { price: { value: price } })] }).payload;

/** The real client against the simulated app. */
async function openBench(options: Partial<AppDOptions> = {}) {
  const simulator = createAppD({ clientId: 'client', clientSecret: 'secret', ...options });
  const sandbox = await startSandbox({ port: 0, parts: [simulateApp(simulator)] });
  open.push(sandbox);
  const baseUrl = `${sandbox.url}/app-d`;
  const client = createAppDClient({ http, baseUrl, timeoutMs: 5_000 });
  const token = async () => {
    const result = await client.fetchToken(CREDENTIAL);
    if (result.kind !== 'token') throw new Error(result.reason);
    return result.token;
  };
  const shown = async (): Promise<readonly { payload: WirePayload }[]> => {
    const answer = await fetch(`${baseUrl}/_sandbox/menus`);
    return (await answer.json()) as readonly { payload: WirePayload }[];
  };
  return {
    client,
    baseUrl,
    token,
    push: async (menu: unknown) =>
      client.pushMenu({
        token: await token(),
        appStoreId: '999',
        payload: Buffer.from(JSON.stringify(menu)),
      }),
    poll: async (pushed: PushOutcome): Promise<PollOutcome | undefined> => {
      if (pushed.kind !== 'accepted') throw new Error(`The push ended ${pushed.kind}.`);
      const question = { token: await token(), appStoreId: '999', taskId: pushed.taskId };
      return client.pollTask?.(question);
    },
    shownPrices: async () =>
      (await shown()).map(({ payload }) => payload.items.map(({ price }) => price)),
    fault: async (fault: object) => {
      const url = `${baseUrl}/_sandbox/faults`;
      await fetch(url, { method: 'POST', body: JSON.stringify(fault) });
    },
  };
}

describe('a token of App D', () => {
  test('lives for a week, for all stores', async () => {
    const { client } = await openBench();
    const result = await client.fetchToken(CREDENTIAL);
    const lives = result.kind === 'token' ? result.expiresAt - Date.now() : 0;
    expect(lives).toBeGreaterThan(6.9 * DAY_MS);
    expect(lives).toBeLessThan(7.1 * DAY_MS);
  });

  test('comes from a host of its own where the app has one, or where the operator says', async () => {
    expect(tokenBaseUrl('https://services.mxgrability.rappi.com')).toBe('https://api.rappi.com.mx');
    expect(tokenBaseUrl('https://app.example')).toBe('https://app.example');
    const { baseUrl } = await openBench();
    const elsewhere = await startAnswering(404, '{}');
    open.push(elsewhere);
    const options = { http, baseUrl: elsewhere.url, timeoutMs: 5_000, tokenUrl: baseUrl };
    expect((await createAppDClient(options).fetchToken(CREDENTIAL)).kind).toBe('token');
  });

  test('is sent in a header of the app’s own', async () => {
    const { baseUrl, token } = await openBench();
    const ask = async (headers: Record<string, string>) =>
      (await fetch(`${baseUrl}/api/v2/restaurants-integrations-public-api/menu`, { headers }))
        .status;
    const bearer = `Bearer ${await token()}`;
    expect(await ask({ authorization: bearer })).toBe(401);
    expect(await ask({ 'x-authorization': bearer })).toBe(200);
  });
});

describe('approval by App D', () => {
  test('a menu is live when it is approved, not before', async () => {
    const { push, poll, shownPrices } = await openBench();
    const pushed = await push(menuOf('1000'));
    expect(await poll(pushed)).toEqual({ kind: 'running', status: 'waiting' });
    expect(await shownPrices()).toEqual([]);
    expect(await poll(pushed)).toEqual({ kind: 'live' });
    expect(await shownPrices()).toEqual([[10]]);
  });

  test('a rejected menu is rejected', async () => {
    const { push, poll, fault, shownPrices } = await openBench();
    await fault({ kind: 'approval', mode: 'rejected' });
    const pushed = await push(menuOf('1000'));
    await poll(pushed);
    expect(await poll(pushed)).toEqual({
      kind: 'rejected',
      reasons: ['The app rejected the menu and gave no reason.'],
    });
    expect(await shownPrices()).toEqual([]);
  });

  test('a fault that decides about a menu is met once by each of as many menus as it says', async () => {
    const { push, poll, fault } = await openBench();
    await fault({ kind: 'approval', mode: 'slow', times: 2 });
    await fault({ kind: 'approval', mode: 'rejected', times: 2 });
    const ends: (string | undefined)[] = [];
    for (let menus = 0; menus < 3; menus += 1) {
      const pushed = await push(menuOf('1000'));
      let polled = await poll(pushed);
      while (polled?.kind === 'running') polled = await poll(pushed);
      // Asked once more, the app says the same, and meets no fault.
      expect((await poll(pushed))?.kind).toBe(polled?.kind);
      ends.push(polled?.kind);
    }
    expect(ends).toEqual(['rejected', 'rejected', 'live']);
  });

  test('a menu that nobody reviews stays running', async () => {
    const { push, poll, fault } = await openBench();
    await fault({ kind: 'approval', mode: 'never' });
    const pushed = await push(menuOf('1000'));
    for (let polls = 0; polls < 5; polls += 1) {
      expect(await poll(pushed)).toMatchObject({ kind: 'running' });
    }
  });

  test('a bare 200 proves nothing: the menu is live when the app shows its SKUs at its prices', async () => {
    const { push, poll, fault } = await openBench();
    const older = await push(menuOf('1000'));
    await poll(older);
    await poll(older);
    await fault({ kind: 'approval', mode: 'bare' });
    const newer = await push(menuOf('1100'));
    // The app still shows the older one, at another price.
    expect(await poll(newer)).toMatchObject({ kind: 'running' });
    expect(await poll(newer)).toEqual({ kind: 'live' });
  });

  test('the app ignores a menu while another one waits, and says nothing', async () => {
    const { push, poll, shownPrices } = await openBench();
    const first = await push(menuOf('1000'));
    expect(await push(menuOf('1100'))).toMatchObject({ kind: 'accepted' });
    await poll(first);
    await poll(first);
    expect(await shownPrices()).toEqual([[10]]);
  });

  test('the same menu pushed twice is two tasks', async () => {
    const { push } = await openBench();
    const tasks = [await push(menuOf('1000')), await push(menuOf('1000'))];
    const ids = tasks.map((each) => (each.kind === 'accepted' ? each.taskId : ''));
    expect(new Set(ids).size).toBe(2);
    expect(ids.every((id) => id.startsWith('999/'))).toBe(true);
  });
});

/** Pushes to a server that answers everything alike. */
async function pushTo(status: number, body: unknown): Promise<PushOutcome> {
  const server = await startAnswering(status, JSON.stringify(body));
  open.push(server);
  const client = createAppDClient({ http, baseUrl: server.url, timeoutMs: 5_000 });
  const payload = Buffer.from(JSON.stringify(menuOf('1000')));
  return client.pushMenu({ token: 'token', appStoreId: '999', payload });
}

test('calls about items name the store as menus do, whatever its credential says', async () => {
  const { baseUrl, client, token } = await openBench();
  const store = { delivery_id: '999', store_integration_id: 'other' };
  const items = [{ wireId: 'I1', available: false, until: null }];
  await client.switchItems({ token: await token(), appStoreId: '999', store, items });
  const requests = (await (await fetch(`${baseUrl}/_sandbox/requests`)).json()) as unknown[];
  expect(requests).toContainEqual(
    expect.objectContaining({ route: 'availability', store_id: '999' }),
  );
});

describe('a refusal by App D', () => {
  test.each([
    ['unknown-store', 'StoreId unknown-store: not found associated Stores'],
    ['child-1', 'StoreId child-1: not found associated Stores'],
  ])('store %s takes no menu', async (storeId, reason) => {
    const { push } = await openBench();
    const pushed = await push({ ...menuOf('1000'), storeId });
    expect(pushed).toEqual({ kind: 'rejected', reasons: [reason] });
  });

  test('each of its three bodies names the rule and the SKU', async () => {
    const { push } = await openBench();
    const [product] = menuOf('1000')?.items ?? [];
    const free = { storeId: '999', items: [{ ...product, price: 0 }] };
    for (let nth = 0; nth < 3; nth += 1) {
      const pushed = await push(free);
      expect(pushed).toMatchObject({
        kind: 'rejected',
        reasons: [expect.stringMatching(/zero_price.*A product costs nothing.*\(I1\)/)],
      });
    }
  });

  test('repeated items come as an error of a system behind it, and are refused all the same', async () => {
    const { push } = await openBench();
    const { items = [] } = menuOf('1000') ?? {};
    expect(await push({ storeId: '999', items: [...items, ...items] })).toEqual({
      kind: 'rejected',
      reasons: ['duplicated_items_complies: I1 is repeated.'],
    });
  });

  test.each(['invalid_item_depth', 'item_data_conflict'])(
    '%s names the SKU in each of the three bodies too',
    async (rule) => {
      const { push } = await openBench();
      const [product] = menuOf('1000')?.items ?? [];
      const items = {
        invalid_item_depth: [{ ...product, type: 'TOPPING' }],
        item_data_conflict: [product, { ...product, name: 'Other', category: C2 }],
      }[rule];
      for (let nth = 0; nth < 3; nth += 1) {
        expect(await push({ storeId: '999', items })).toMatchObject({
          kind: 'rejected',
          reasons: expect.arrayContaining([expect.stringMatching(`^${rule}: .*\\(I1\\)$`)]),
        });
      }
    },
  );

  test('every broken rule of a list is a reason of its own', async () => {
    const body = {
      message: 'The menu is not valid.',
      errors: [
        { reason: 'zero price', relatedItems: [{ sku: 'I1' }, { sku: 'I2' }] },
        { reason: 'no image', relatedItems: [] },
      ],
    };
    expect(await pushTo(400, body)).toEqual({
      kind: 'rejected',
      reasons: ['zero price (I1 > I2)', 'no image'],
    });
  });

  test.each([424, 500])(
    'status %i is for good with a rule in it, else it may pass',
    async (status) => {
      const refused = { message: 'm', detail: { error: { code: 'zero_price', message: 'I1' } } };
      expect(await pushTo(status, refused)).toEqual({
        kind: 'rejected',
        reasons: ['zero_price: I1'],
      });
      for (const detail of ['text', null, { error: { code: 'timeout' } }]) {
        const answer = await pushTo(status, { message: 'm', detail });
        expect(answer).toEqual({ kind: 'retry', reason: `status ${status}`, atMost: 3 });
      }
    },
  );
});
