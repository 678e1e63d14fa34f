import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Page, visit } from '../console/visitor';
import { startTestApi, type TestAnswer, type TestApi, type TestCaller } from '../support/api';
import { countBlocked } from '../support/blocked-statements';
import { boundOf, untilUsed } from '../support/bounds';
import { connectApps } from '../support/connect-apps';
import { until } from '../support/until';
import { versionedMenu } from '../support/versioned-menu';

let api: TestApi;
let owner: TestCaller;
let other: TestCaller;
beforeAll(async () => {
  api = await startTestApi({ TRUSTED_PROXIES: '127.0.0.1/32' });
  [owner, other] = [await api.user(), await api.user()];
});
afterAll(() => api.stop());

const NO_UPLOAD = '/menus/uploads/upl_0190c2d5e6f77a8b9c0d1e2f3a4b5c6d';

type Table = 'menu_upload' | 'subscription' | 'access_token';

/** Keeps everybody from a table during `work`. */
function whileLocked(table: Table, work: () => Promise<void>): Promise<void> {
  return api.sql.begin(async (tx) => {
    await tx`set local idle_in_transaction_session_timeout = 0`;
    await tx`lock table ${tx(table)}`;
    await work();
  });
}

const untilWaiting = (table: Table, statements: number) =>
  until(async () => (await countBlocked(api.sql, table)) >= statements);

/** A write of another user, which is answered long before a statement that waits for a lock is given up. */
async function expectWritten(): Promise<void> {
  const startedAt = performance.now();
  const { status } = await other.post('/store', { name: randomUUID(), country_code: 'MX' });
  expect(status).toBe(201);
  expect(performance.now() - startedAt).toBeLessThan(5_000);
}

test('reads, however slow and many, leave connections to those who write, and permits to other users', async () => {
  const reads: Promise<TestAnswer>[] = [];
  await whileLocked('menu_upload', async () => {
    reads.push(...Array.from({ length: 751 }, () => owner.get(NO_UPLOAD)));
    await untilUsed(api, 'requests_without_body', 750);
    // The metrics read it too.
    await untilWaiting('menu_upload', 10);
    await expectWritten();
    reads.push(other.get('/me'));
    await untilUsed(api, 'requests_without_body', 751);
    await until(async () => (await boundOf(api, 'requests_without_body')).hits === 1);
  });
  const answers = await Promise.all(reads);
  expect(answers.at(-1)?.status).toBe(200);
  const refused = answers.slice(0, -1).filter(({ status }) => status !== 404);
  expect(refused.map(({ status, json }) => [status, json.message])).toEqual([
    [503, ['The service is busy.']],
  ]);
  expect(refused[0]?.headers.get('retry-after')).toBe('1');
  await untilUsed(api, 'requests_without_body', 0);
});

/** A user with a stored menu that no process has in its memory; asks for it, or what is made of it. */
async function ownerOfMenu(asked: 'menu' | 'changes'): Promise<() => Promise<TestAnswer>> {
  const user = await api.user();
  const storeId = await api.store(user);
  await connectApps(api, storeId, ['app-a']);
  const [{ integrationId } = { integrationId: 0 }] = await api.sql<{ integrationId: number }[]>`
    select integration_id from store_integration where store_id = ${storeId}::bigint`;
  const menu = { store_id: storeId, integration_id: integrationId, ...versionedMenu(1) };
  const sent = await user.post('/menus/upload', menu, { prefer: 'respond-async' });
  expect(sent.status).toBe(202);
  const [{ uploadId } = { uploadId: '' }] = await api.sql<{ uploadId: string }[]>`
    with copied as (
      insert into document (sha256, content_gzip, size)
      select ${randomUUID()}, d.content_gzip, d.size
      from menu_upload u join document d on d.sha256 = u.document_sha256
      where u.store_id = ${storeId}::bigint
      returning sha256
    )
    update menu_upload u set document_sha256 = copied.sha256 from copied
    where u.store_id = ${storeId}::bigint returning upload_id`;
  return () => user.get(`/menus/uploads/${uploadId}/${asked}`);
}

/** Keeps everybody from the texts of stored menus during `work`, but not from what else is known of them. */
async function whileTextsAreHeld(work: () => Promise<void>): Promise<void> {
  await api.sql.unsafe(`
    create function held(bytea) returns bytea language plpgsql stable
      as 'begin perform pg_advisory_xact_lock_shared(7); return $1; end';
    alter table document rename to held_document;
    create view document as
      select sha256, held(content_gzip) as content_gzip, size, created_at from held_document`);
  try {
    await api.sql.begin(async (tx) => {
      await tx`set local idle_in_transaction_session_timeout = 0`;
      await tx`select pg_advisory_xact_lock(7)`;
      await work();
    });
  } finally {
    await api.sql.unsafe(
      'drop view document; drop function held; alter table held_document rename to document',
    );
  }
}

async function countHeld(): Promise<number> {
  const held = await api.sql`
    select from pg_locks where not granted and locktype = 'advisory' and objid = 7`;
  return held.length;
}

test('reads of stored menus leave connections too', async () => {
  const readers = await Promise.all([1, 2, 3].map(() => ownerOfMenu('menu')));
  const reads: Promise<TestAnswer>[] = [];
  await whileTextsAreHeld(async () => {
    reads.push(...readers.flatMap((read) => Array.from({ length: 8 }, read)));
    // Of 14 connections the last quarter is for users who have none.
    await until(async () => (await countHeld()) >= 10);
    await expectWritten();
    expect(await countHeld()).toBeLessThan(14);
  });
  for (const { status } of await Promise.all(reads)) expect(status).toBe(200);
});

test('a thread that compares menus does not wait for the connections of reads', async () => {
  const compare = await ownerOfMenu('changes');
  const readers = await Promise.all([1, 2].map(() => ownerOfMenu('menu')));
  const reads: Promise<TestAnswer>[] = [];
  await whileTextsAreHeld(async () => {
    reads.push(compare());
    await until(async () => (await countHeld()) === 1);
    reads.push(...readers.flatMap((read) => Array.from({ length: 8 }, read)));
    await until(async () => (await countHeld()) === 11, 10_000);
  });
  for (const { status } of await Promise.all(reads)) expect(status).toBe(200);
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
const from = (address: string) => ({ 'x-forwarded-for': address });
const statusesOf = async (calls: readonly Promise<{ status: number }>[]) =>
  (await Promise.all(calls)).map(({ status }) => status);

const call = (token: string, address: string) => api.as('', token).get('/me', from(address));

async function signIn(token: string, address: string): Promise<{ status: number }> {
  return fetch(`${api.url}/console/sign-in`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...from(address) },
    body: new URLSearchParams({ token }).toString(),
    redirect: 'manual',
  });
}

describe('tokens that are looked up', () => {
  test('wait for few of a stranger, and not at all if they were valid before', async () => {
    const [known, fresh, signedIn] = [await api.user(), await api.user(), await api.user()];
    expect((await known.get('/me')).status).toBe(200);
    const visitor = await visit(api.url, signedIn.token);
    // Until what is known of the token must be looked up again.
    await sleep(5_100);
    const strange: Promise<TestAnswer>[] = [];
    const good: Promise<{ status: number }>[] = [];
    const pages: Promise<Page>[] = [];
    await whileLocked('access_token', async () => {
      strange.push(...Array.from({ length: 510 }, () => call(unknown(), '192.0.2.1')));
      await untilUsed(api, 'token_lookups', 510);
      await untilWaiting('access_token', 5);
      pages.push(visitor.get('/console'));
      good.push(call(known.token, '192.0.2.1'));
      await untilWaiting('access_token', 7);
      expect((await boundOf(api, 'token_lookups')).used).toBe(510);
      good.push(call(fresh.token, '192.0.2.2'), signIn(unknown(), '192.0.2.2'));
      await untilUsed(api, 'token_lookups', 512);
      await untilWaiting('access_token', 9);
    });
    expect(await statusesOf(good)).toEqual([200, 200, 401]);
    expect(await statusesOf(pages)).toEqual([200]);
    // On a busy machine some get no permit in time.
    for (const status of await statusesOf(strange)) expect([401, 429, 503]).toContain(status);
    await untilUsed(api, 'token_lookups', 0);
  });

  test('and get no permit in time are refused, and so are those whose caller leaves', async () => {
    const leaving = new AbortController();
    const { hits } = await boundOf(api, 'token_lookups');
    const calls: Promise<TestAnswer>[] = [];
    await whileLocked('access_token', async () => {
      calls.push(...Array.from({ length: 6 }, () => call(unknown(), '192.0.2.3')));
      await untilUsed(api, 'token_lookups', 6);
      const left = fetch(`${api.url}/api/v1/me`, {
        headers: { authorization: `Bearer ${unknown()}`, ...from('192.0.2.3') },
        signal: leaving.signal,
      });
      await untilUsed(api, 'token_lookups', 7);
      leaving.abort();
      await expect(left).rejects.toThrow('aborted');
      await untilUsed(api, 'token_lookups', 6);
      await untilUsed(api, 'token_lookups', 5);
    });
    const refused = (await statusesOf(calls)).filter((status) => status !== 401);
    expect(refused).toEqual([503]);
    await until(async () => (await boundOf(api, 'token_lookups')).hits === hits + 1);
  });
});
