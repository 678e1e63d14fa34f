import { createAppDClient } from '../../src/delivery-apps/app-d/client';
import { tokenBaseUrl } from '../../src/delivery-apps/app-d/rules';
import type { PushOutcome } from '../../src/delivery-apps/app-client';
import { startAnswering } from '../delivery-apps/hostile-server';
import { CREDENTIAL, menuOf, useAppDBench } from './app-d-bench';

const DAY_MS = 86_400_000;
const C2 = { id: 'C2', name: 'C2', minQty: 0, maxQty: 0, sortingPosition: 1 };
const { http, open, openBench } = useAppDBench();

describe('a token of App D', () => {
  test('lives for a week, for all stores', async () => {
    const { client } = await openBench();
    const result = await client.fetchToken(CREDENTIAL);
    const lives = result.kind === 'token' ? result.expiresAt - Date.now() : 0;
    expect(lives).toBeGreaterThan(6.9 * DAY_MS);
    expect(lives).toBeLessThan(7.1 * DAY_MS);
  });

  test('lives as long as the app says', async () => {
    const token = { access_token: 'token', token_type: 'Bearer', expires_in: 86_400 };
    const server = await startAnswering(200, JSON.stringify(token));
    open.push(server);
    const client = createAppDClient({ http, baseUrl: server.url, timeoutMs: 5_000 });
    const result = await client.fetchToken(CREDENTIAL);
    const lives = result.kind === 'token' ? result.expiresAt - Date.now() : 0;
    expect(Math.round(lives / 60_000)).toBe(1_440);
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
