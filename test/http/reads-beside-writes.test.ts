import { randomBytes, randomUUID } from 'node:crypto';
import { type Page, visit } from '../console/visitor';
import { startTestApi, type TestAnswer, type TestApi, type TestCaller } from '../support/api';
import { boundOf, untilUsed } from '../support/bounds';
import { until } from '../support/until';

let api: TestApi;
let owner: TestCaller;
let other: TestCaller;
beforeAll(async () => {
  api = await startTestApi();
  [owner, other] = [await api.user(), await api.user()];
});
afterAll(() => api.stop());

type Table = 'menu_upload' | 'subscription' | 'access_token';

/** Keeps everybody from a table during `work`. */
function whileLocked(table: Table, work: () => Promise<void>): Promise<void> {
  return api.sql.begin(async (tx) => {
    await tx`lock table ${tx(table)}`;
    await work();
  });
}

async function untilWaiting(table: Table, statements: number): Promise<void> {
  await until(async () => {
    const waiting = await api.sql`
      select from pg_locks where not granted and relation = ${table}::regclass`;
    return waiting.length >= statements;
  });
}

/** A write of another user, which is answered long before a statement that waits for a lock is given up. */
async function expectWritten(): Promise<void> {
  const startedAt = performance.now();
  const { status } = await other.post('/store', { name: randomUUID(), country_code: 'MX' });
  expect(status).toBe(201);
  expect(performance.now() - startedAt).toBeLessThan(5_000);
}

test('reads, however slow and many, leave connections to those who write, and places to other users', async () => {
  const reads: Promise<TestAnswer>[] = [];
  await whileLocked('menu_upload', async () => {
    reads.push(...Array.from({ length: 501 }, () => owner.get('/menus/uploads')));
    await untilUsed(api, 'requests_without_body', 500);
    // The metrics read it too.
    await untilWaiting('menu_upload', 14);
    await expectWritten();
    reads.push(other.get('/me'));
    await untilUsed(api, 'requests_without_body', 501);
    await until(async () => (await boundOf(api, 'requests_without_body')).hits === 1);
  });
  const answers = await Promise.all(reads);
  const refused = answers.filter(({ status }) => status !== 200);
  expect(refused.map(({ status, json }) => [status, json.message])).toEqual([
    [503, ['The service is busy.']],
  ]);
  expect(refused[0]?.headers.get('retry-after')).toBe('1');
  await untilUsed(api, 'requests_without_body', 0);
});

test('a user’s pages of the console wait for each other, and keep nobody from writing', async () => {
  const visitor = await visit(api.url, owner.token);
  const pages: Promise<Page>[] = [];
  await whileLocked('subscription', async () => {
    pages.push(...Array.from({ length: 10 }, () => visitor.get('/console')));
    await untilUsed(api, 'pages_of_a_user', 10);
    await untilWaiting('subscription', 2);
    await expectWritten();
  });
  for (const { status } of await Promise.all(pages)) expect(status).toBe(200);
  await untilUsed(api, 'pages_of_a_user', 0);
});

const unknown = () => randomBytes(32).toString('base64url');

test('tokens that cannot be looked up do not pile up', async () => {
  const call = (token: string) => api.as('', token).get('/me');
  const { token } = await api.user();
  const calls: Promise<TestAnswer>[] = [];
  await whileLocked('access_token', async () => {
    calls.push(call(token), call(token));
    await untilUsed(api, 'token_lookups', 1);
    calls.push(...Array.from({ length: 499 }, () => call(unknown())));
    await untilUsed(api, 'token_lookups', 500);
    expect((await call(unknown())).status).toBe(503);
  });
  const [first, second, ...others] = (await Promise.all(calls)).map(({ status }) => status);
  expect([first, second]).toEqual([200, 200]);
  expect(new Set(others)).toEqual(new Set([401, 429]));
  await untilUsed(api, 'token_lookups', 0);
});
