import { CREDENTIAL, type Bench, openBench, SECRET, SMALLEST } from './app-c-bench';

interface Answer {
  readonly errno: number;
  readonly data: unknown;
}

const SHOP = { app_id: CREDENTIAL.clientId, app_secret: SECRET, app_shop_id: 'shop-1' };
const GET = '/v1/auth/authtoken/get';
const REFRESH = '/v1/auth/authtoken/refresh';
const POLL = '/v1/item/item/getMenuTaskInfo';

let bench: Bench;

beforeEach(async () => {
  bench = await openBench();
});

afterEach(() => bench.close());

/** The answers as another client would read them, without our code in between. */
async function ask(
  method: 'GET' | 'POST',
  path: string,
  query: Readonly<Record<string, string>>,
  body?: string,
): Promise<Answer> {
  const url = `${bench.baseUrl}${path}?${new URLSearchParams(query).toString()}`;
  const answer = await fetch(url, { method, ...(body !== undefined && { body }) });
  return (await answer.json()) as Answer;
}

describe('the simulated token calls of App C', () => {
  it.each(['app_id', 'app_secret', 'app_shop_id'])('want the parameter %s', async (name) => {
    const { [name]: _, ...others } = SHOP as Record<string, string>;
    expect((await ask('GET', GET, others)).errno).toBe(10002);
    expect((await ask('GET', REFRESH, others)).errno).toBe(10002);
  });

  it.each([
    ['app_id', 14105],
    ['app_secret', 14106],
    ['app_shop_id', 10101],
  ])('refuse another %s with errno %i', async (name, errno) => {
    const query = { ...SHOP, [name]: 'unknown' };
    expect((await ask('GET', GET, query)).errno).toBe(errno);
    expect((await ask('GET', REFRESH, query)).errno).toBe(errno);
  });

  it('answer a refresh without a token, and make one in two minutes', async () => {
    const first = await bench.token();
    expect(await ask('GET', REFRESH, SHOP)).toMatchObject({ errno: 0, data: true });
    const second = await bench.token();
    expect(second).not.toBe(first);
    bench.passTime(119_000);
    expect(await ask('GET', REFRESH, SHOP)).toMatchObject({ errno: 0, data: true });
    expect(await bench.token()).toBe(second);
    bench.passTime(1_000);
    await ask('GET', REFRESH, SHOP);
    expect(await bench.token()).not.toBe(second);
  });

  it('do not renew an expired token by reading it', async () => {
    await bench.token();
    bench.passTime(30 * 86_400_000);
    expect((await ask('GET', GET, SHOP)).errno).toBe(10102);
    expect((await ask('GET', GET, SHOP)).errno).toBe(10102);
  });

  it('leave a replaced token expired', async () => {
    const old = await bench.token();
    await ask('GET', REFRESH, SHOP);
    const body = JSON.stringify({ ...JSON.parse(SMALLEST.toString()), auth_token: old });
    expect((await ask('POST', '/v3/item/item/upload', {}, body)).errno).toBe(10102);
  });
});

describe('the simulated question about a task of App C', () => {
  it.each([
    ['by GET', 'GET', 'task_id'],
    ['with taskID', 'POST', 'taskID'],
  ] as const)('%s is a parameter error', async (_, method, name) => {
    const pushed = await bench.push();
    if (pushed.kind !== 'accepted') throw new Error('There is no task.');
    const query = { auth_token: await bench.token(), [name]: pushed.taskId };
    expect((await ask(method, POLL, query)).errno).toBe(10002);
  });

  it('may have its parameters in the body alone', async () => {
    const pushed = await bench.push();
    if (pushed.kind !== 'accepted') throw new Error('There is no task.');
    const body = `{"auth_token":"${await bench.token()}","task_id":${pushed.taskId}}`;
    expect(await ask('POST', POLL, {}, body)).toMatchObject({ errno: 0, data: { status: 4 } });
  });

  it('refuses a token that was never issued', async () => {
    expect((await ask('POST', POLL, { auth_token: 'x', task_id: '1' })).errno).toBe(10100);
    expect((await ask('POST', POLL, { task_id: '1' })).errno).toBe(10100);
  });
});
