import { withToken } from '../../src/delivery-apps/app-c/with-token';
import { type Bench, CREDENTIAL, openBench, SECRET, SMALLEST, START } from './app-c-bench';
import { transform } from './app-c-menus';

const TOKEN_LIFE_MS = 30 * 86_400_000;

let bench: Bench;

beforeEach(async () => {
  bench = await openBench();
});

afterEach(() => bench.close());

/** The token calls that the client has made. */
function paths(): (string | undefined)[] {
  return bench.sent
    .filter(({ url }) => url.includes('/authtoken/'))
    .map(({ url }) => new URL(url).pathname.split('/').at(-1));
}

describe('a token of App C', () => {
  it('ends when the app says, an absolute time in seconds', async () => {
    await expect(bench.client.fetchToken(CREDENTIAL)).resolves.toEqual({
      kind: 'token',
      token: expect.stringMatching(/^token_/),
      expiresAt: START + TOKEN_LIFE_MS,
    });
  });

  it.each([
    ['app id', { ...CREDENTIAL, clientId: 'other' }, 'errno 14105'],
    ['secret', { ...CREDENTIAL, clientSecret: 'other' }, 'errno 14106'],
    ['shop', { ...CREDENTIAL, store: { app_shop_id: 'unknown-shop' } }, 'errno 10101'],
  ])('is refused for a wrong %s', async (_, credential, reason) => {
    const result = await bench.client.fetchToken(credential);
    expect(result).toEqual({ kind: 'refused', reason });
  });

  it('is refused without a call when the store has no shop id', async () => {
    const result = await bench.client.fetchToken({ ...CREDENTIAL, store: {} });
    expect(result.kind).toBe('refused');
    expect(bench.sent).toEqual([]);
  });

  it.each([
    [10001, { kind: 'retry', reason: 'errno 10001' }],
    [10002, { kind: 'refused', reason: 'errno 10002' }],
    [10005, { kind: 'retry', reason: 'errno 10005', afterMs: 60_000 }],
    [10101, { kind: 'refused', reason: 'errno 10101' }],
    [14103, { kind: 'refused', reason: 'errno 14103' }],
    [14105, { kind: 'refused', reason: 'errno 14105' }],
    [14106, { kind: 'refused', reason: 'errno 14106' }],
    [500, { kind: 'retry', reason: 'errno 500' }],
  ])('with errno %i is %j', async (errno, result) => {
    await bench.queue({ kind: 'errno', errno, route: 'token' });
    await expect(bench.client.fetchToken(CREDENTIAL)).resolves.toEqual(result);
    expect(paths()).toEqual(['get']);
  });

  it('that the app cannot read is requested three times, then refused', async () => {
    await bench.queue({ kind: 'errno', errno: 10100, route: 'token', times: 2 });
    await expect(bench.client.fetchToken(CREDENTIAL)).resolves.toMatchObject({ kind: 'token' });
    await bench.queue({ kind: 'errno', errno: 10100, route: 'token', times: 3 });
    await expect(bench.client.fetchToken(CREDENTIAL)).resolves.toEqual({
      kind: 'refused',
      reason: 'errno 10100',
    });
    expect(paths()).toHaveLength(6);
  });

  it('is the same at every reading', async () => {
    expect(await bench.token()).toBe(await bench.token());
  });

  it('that has expired is refreshed, and read again', async () => {
    const expired = await bench.token();
    bench.passTime(TOKEN_LIFE_MS);
    const result = await bench.client.fetchToken(CREDENTIAL);
    expect(result).toMatchObject({ kind: 'token', expiresAt: START + 2 * TOKEN_LIFE_MS });
    expect(result).not.toMatchObject({ token: expired });
    expect(paths()).toEqual(['get', 'get', 'refresh', 'get']);
  });

  it('that another process has refreshed is only read', async () => {
    const replaced = await bench.token();
    await bench.queue({ kind: 'token_expired', mode: 'replaced' });
    const request = { token: replaced, appStoreId: 'shop-1', payload: SMALLEST };
    await expect(bench.client.pushMenu(request)).resolves.toEqual({ kind: 'token_expired' });
    expect(await bench.token()).not.toBe(replaced);
    expect(paths()).toEqual(['get', 'get']);
  });

  it('that the app returns although its calls refuse it is refreshed', async () => {
    const refused = await bench.token();
    await bench.queue({ kind: 'token_expired', mode: 'kept' });
    const request = { token: refused, appStoreId: 'shop-1', payload: SMALLEST };
    await expect(bench.client.pushMenu(request)).resolves.toEqual({ kind: 'token_expired' });
    expect(await bench.token()).toBe(refused);
    const result = await bench.client.fetchToken({ ...CREDENTIAL, refusedToken: refused });
    const token = result.kind === 'token' ? result.token : '';
    await expect(bench.client.pushMenu({ ...request, token })).resolves.toMatchObject({
      kind: 'accepted',
    });
    expect(paths()).toEqual(['get', 'get', 'get', 'refresh', 'get']);
  });

  it('that was replaced since it was refused is not refreshed', async () => {
    const token = await bench.token();
    const result = await bench.client.fetchToken({ ...CREDENTIAL, refusedToken: 'older' });
    expect(result).toMatchObject({ kind: 'token', token });
    expect(paths()).toEqual(['get', 'get']);
  });

  it('that is still the refused one after a refresh waits for the cool-down', async () => {
    await bench.token();
    bench.passTime(TOKEN_LIFE_MS);
    const refreshed = await bench.token();
    await expect(
      bench.client.fetchToken({ ...CREDENTIAL, refusedToken: refreshed }),
    ).resolves.toEqual({ kind: 'retry', reason: 'token expired', afterMs: 120_000 });
  });

  it('that the app returns although it has expired is refreshed too', async () => {
    bench.passTime(-2 * TOKEN_LIFE_MS);
    await expect(bench.client.fetchToken(CREDENTIAL)).resolves.toMatchObject({ kind: 'retry' });
    expect(paths()).toEqual(['get', 'refresh', 'get']);
  });

  it('that expires again within two minutes of a refresh waits for them', async () => {
    await bench.token();
    bench.passTime(TOKEN_LIFE_MS);
    const refreshed = await bench.token();
    await bench.queue({ kind: 'token_expired' });
    await bench.client.pushMenu({ token: refreshed, appStoreId: 'shop-1', payload: SMALLEST });
    await expect(bench.client.fetchToken(CREDENTIAL)).resolves.toEqual({
      kind: 'retry',
      reason: 'token expired',
      afterMs: 120_000,
    });
    bench.passTime(120_000);
    await expect(bench.client.fetchToken(CREDENTIAL)).resolves.toMatchObject({ kind: 'token' });
  });

  it('is given up within the time of one request, however often the app is asked', async () => {
    await bench.queue({ kind: 'errno', errno: 10102, route: 'token' });
    await bench.queue({ kind: 'slow', ms: 10_000, route: 'token' });
    const startedAt = performance.now();
    await expect(bench.client.fetchToken(CREDENTIAL)).resolves.toMatchObject({ kind: 'retry' });
    expect(performance.now() - startedAt).toBeLessThan(6_000);
  });

  it('never has its secret in an outcome, whatever the app answers', async () => {
    for (const fault of [
      { kind: 'errno', errno: 14106 },
      { kind: 'status', status: 403 },
      { kind: 'status', status: 500 },
      { kind: 'bad_json' },
      { kind: 'reset_before' },
      { kind: 'redirect' },
    ]) {
      await bench.queue({ ...fault, route: 'token' });
      const result = JSON.stringify(await bench.client.fetchToken(CREDENTIAL));
      for (const spelling of [SECRET, encodeURIComponent(SECRET), 's%26cr+t%2F%257E']) {
        expect(result).not.toContain(spelling);
      }
    }
  });
});

describe('an upload to App C', () => {
  it('is accepted with a task id of 64 bits', async () => {
    const outcome = await bench.push();
    expect(outcome).toEqual({ kind: 'accepted', taskId: expect.stringMatching(/^\d{19}$/) });
    if (outcome.kind !== 'accepted') return;
    expect(BigInt(outcome.taskId)).toBeGreaterThan(BigInt(Number.MAX_SAFE_INTEGER));
  });

  it('has its token in front of the bytes of the payload, which are sent unchanged', async () => {
    const token = await bench.token();
    await bench.client.pushMenu({ token, appStoreId: 'shop-1', payload: SMALLEST });
    const request = bench.sent.at(-1);
    expect(String(request?.body)).toBe(`{"auth_token":"${token}",${SMALLEST.toString().slice(1)}`);
    expect(request?.url).not.toContain(token);
  });

  it('is rejected with the POS id when the app refuses the menu', async () => {
    const { payload } = transform();
    const [first] = payload.items;
    await expect(bench.push({ ...payload, items: [{ ...first, item_name: '' }] })).resolves.toEqual(
      {
        kind: 'rejected',
        reasons: ['item name is empty, related app_item_id is I1 (errno 10001)'],
      },
    );
  });

  it.each([
    [10001, { kind: 'rejected', reasons: ['scripted (errno 10001)'] }],
    [10002, { kind: 'rejected', reasons: ['scripted (errno 10002)'] }],
    [
      10005,
      { kind: 'retry', reason: 'scripted (errno 10005)', waits: 'app_busy', afterMs: 60_000 },
    ],
    [10100, { kind: 'token_expired' }],
    [10101, { kind: 'rejected', reasons: ['scripted (errno 10101)'] }],
    [10102, { kind: 'token_expired' }],
    [14103, { kind: 'rejected', reasons: ['scripted (errno 14103)'] }],
    [14105, { kind: 'rejected', reasons: ['scripted (errno 14105)'] }],
    [14106, { kind: 'rejected', reasons: ['scripted (errno 14106)'] }],
    [500, { kind: 'retry', reason: 'scripted (errno 500)', atMost: 3 }],
    [99999, { kind: 'retry', reason: 'scripted (errno 99999)', atMost: 3 }],
  ])('with errno %i is %j and starts no task', async (errno, outcome) => {
    await bench.queue({ kind: 'errno', errno });
    await expect(bench.push()).resolves.toEqual(outcome);
    expect(await bench.shown()).toEqual([]);
  });

  it('needs a live token', async () => {
    const token = await bench.token();
    bench.passTime(TOKEN_LIFE_MS);
    const outcome = await bench.client.pushMenu({
      token,
      appStoreId: 'shop-1',
      payload: SMALLEST,
    });
    expect(outcome).toEqual({ kind: 'token_expired' });
  });
});

describe('the body of an upload to App C', () => {
  it.each(['', '{}', '[]', 'null', ' {"a":1}'])('cannot have a token in %j', (payload) => {
    expect(() => withToken(Buffer.from(payload), 'token')).toThrow(RangeError);
  });

  it('stays JSON whatever the token is', () => {
    const body = withToken(Buffer.from('{"a":1}'), 'a"b\\').toString();
    expect(JSON.parse(body)).toEqual({ auth_token: 'a"b\\', a: 1 });
  });
});
