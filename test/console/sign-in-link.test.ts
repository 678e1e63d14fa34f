import { createHash } from 'node:crypto';
import { PassThrough } from 'node:stream';
import { activateAgain, changeUserPermissions, changeUserState } from '../../src/admin/users';
import { adminCommand } from '../support/admin-command';
import { startTestApi, type TestApi } from '../support/api';

const PUBLIC_URL = 'https://pos.example.com';
const ENDED = 'Ask an operator for a new one.';

let api: TestApi;
let logged = '';

beforeAll(async () => {
  const logTo = new PassThrough();
  logTo.on('data', (chunk: Buffer) => (logged += chunk.toString()));
  api = await startTestApi({ PUBLIC_URL, LOG_LEVEL: 'trace' }, { logTo });
});
afterAll(() => api.stop());

interface Made {
  readonly userId: string;
  /** From the origin on, where this API is. */
  readonly path: string;
  readonly secret: string;
  readonly sha256: Buffer;
}

/** A link made by the admin command. */
async function makeLink(...permissions: Parameters<TestApi['user']>): Promise<Made> {
  const { userId } = await api.user(...permissions);
  const args = ['user', 'sign-in-link', '--user', userId];
  const said = await adminCommand(api.config.DATABASE_URL, args, { env: { PUBLIC_URL } });
  expect(said).toMatchObject({ status: 0, err: '' });
  const { url, expires_at, ...rest } = JSON.parse(said.out);
  expect(rest).toEqual({});
  expect(Date.parse(expires_at) - Date.now()).toBeGreaterThan(14 * 60_000);
  expect(Date.parse(expires_at) - Date.now()).toBeLessThanOrEqual(15 * 60_000 + 5_000);
  return { userId, ...partsOf(url) };
}

function partsOf(url: string) {
  const { origin, pathname, search, searchParams } = new URL(url);
  expect(origin).toBe(PUBLIC_URL);
  const secret = searchParams.get('secret') ?? '';
  expect(Buffer.from(secret, 'base64url')).toHaveLength(32);
  return {
    path: `${pathname}${search}`,
    secret,
    sha256: createHash('sha256').update(secret).digest(),
  };
}

function run(userId: string, env: Record<string, string>) {
  return adminCommand(api.config.DATABASE_URL, ['user', 'sign-in-link', '--user', userId], { env });
}

function open(path: string) {
  return fetch(`${api.url}${path}`, { redirect: 'manual' });
}

function press(secret: string, headers: Record<string, string> = {}) {
  return fetch(`${api.url}/console/sign-in/link`, {
    method: 'POST',
    redirect: 'manual',
    headers,
    body: new URLSearchParams({ secret }),
  });
}

async function signInBy({ secret }: Made): Promise<string> {
  const answer = await press(secret);
  expect([answer.status, answer.headers.get('location')]).toEqual([303, '/console']);
  return answer.headers.get('set-cookie')?.split(';')[0] ?? '';
}

async function overviewOf(cookie: string): Promise<number> {
  return (await fetch(`${api.url}/console`, { headers: { cookie }, redirect: 'manual' })).status;
}

test('opening a link changes nothing, pressing its button signs in, once', async () => {
  const link = await makeLink();
  for (let opened = 0; opened < 3; opened++) {
    const answer = await open(link.path);
    expect(answer.status).toBe(200);
    expect(await answer.text()).toContain('This link signs you in as A user, once.');
  }
  const cookie = await signInBy(link);
  expect(await overviewOf(cookie)).toBe(200);
  for (const again of [await press(link.secret), await open(link.path)]) {
    expect(again.status).toBe(410);
    expect(await again.text()).toContain(`This sign-in link was used already. ${ENDED}`);
    expect(again.headers.get('set-cookie')).toBeNull();
  }
});

test('of two who press at once one signs in', async () => {
  const link = await makeLink();
  const answers = await Promise.all(Array.from({ length: 8 }, () => press(link.secret)));
  const statuses = answers.map(({ status }) => status).toSorted((a, b) => a - b);
  expect(statuses).toEqual([303, ...Array.from({ length: 7 }, () => 410)]);
});

test('a link of 15 minutes ago has expired, and one that never was is unknown', async () => {
  const link = await makeLink();
  await api.sql`
    update sign_in_link set expires_at = now() where link_sha256 = ${link.sha256}::bytea`;
  for (const answer of [await open(link.path), await press(link.secret)]) {
    expect(answer.status).toBe(410);
    expect(await answer.text()).toContain(`This sign-in link has expired. ${ENDED}`);
  }
  const unknown = link.secret.replace(/^./, (first) => (first === 'A' ? 'B' : 'A'));
  for (const answer of [
    await open(`/console/sign-in/link?secret=${unknown}`),
    await open('/console/sign-in/link'),
    await press(unknown),
  ]) {
    expect(answer.status).toBe(404);
    expect(await answer.text()).toContain(`This sign-in link is not known. ${ENDED}`);
  }
});

test('the secret is kept as a hash, and is in no log line and no Referer', async () => {
  const link = await makeLink();
  expect((await open(link.path)).headers.get('referrer-policy')).toBe('strict-origin');
  await signInBy(link);
  await open(link.path);
  expect(logged).toContain('/console/sign-in/link');
  expect(logged).not.toContain(link.secret);
  const [{ rows }] = await api.sql<[{ rows: string }]>`
    select (select json_agg(l) from sign_in_link l)::text
      || (select json_agg(s) from console_session s)::text as rows`;
  expect(rows).not.toContain(link.secret);
  expect(rows).toContain(link.sha256.toString('hex'));
});

test('a button that another site drew is refused', async () => {
  const { secret } = await makeLink();
  const answer = await press(secret, { 'sec-fetch-site': 'cross-site' });
  expect(answer.status).toBe(403);
  expect((await press(secret)).status).toBe(303);
});

describe('the session', () => {
  test('ends after 12 hours', async () => {
    const link = await makeLink();
    const cookie = await signInBy(link);
    const [row] = await api.sql<{ hours: number; tokenId: string | null }[]>`
      select extract(epoch from ends_at - now())::float8 / 3600 as hours, token_id
      from console_session where user_id = ${link.userId}`;
    expect(row?.tokenId).toBeNull();
    expect(row?.hours).toBeCloseTo(12, 1);
    await api.sql`update console_session set ends_at = now() where user_id = ${link.userId}`;
    expect(await overviewOf(cookie)).toBe(303);
  });

  test('ends when its user signs out', async () => {
    const cookie = await signInBy(await makeLink());
    const page = await fetch(`${api.url}/console`, { headers: { cookie } });
    const form_token = /name="form_token" value="([^"]+)"/.exec(await page.text())?.[1] ?? '';
    await fetch(`${api.url}/console/sign-out`, {
      method: 'POST',
      redirect: 'manual',
      headers: { cookie },
      body: new URLSearchParams({ form_token }),
    });
    expect(await overviewOf(cookie)).toBe(303);
  });

  test.each(['deactivated', 'deleted'] as const)(
    'ends with its user, who is %s, and so do their links',
    async (state) => {
      const link = await makeLink();
      const cookie = await signInBy(link);
      const said = await adminCommand(
        api.config.DATABASE_URL,
        ['user', 'sign-in-link', '--user', link.userId],
        { env: { PUBLIC_URL } },
      );
      const unused = partsOf(JSON.parse(said.out).url);
      await changeUserState(api, link.userId, state);
      expect(await overviewOf(cookie)).toBe(303);
      if (state === 'deactivated') await activateAgain(api, link.userId);
      expect(await overviewOf(cookie)).toBe(303);
      expect((await press(unused.secret)).status).toBe(404);
    },
  );

  test('has the permissions that its user has now', async () => {
    const link = await makeLink('operator');
    const cookie = await signInBy(link);
    const roleOf = async () =>
      /class="role">(\w+)</.exec(
        await (await fetch(`${api.url}/console`, { headers: { cookie } })).text(),
      )?.[1];
    expect(await roleOf()).toBe('operator');
    await changeUserPermissions(api, link.userId, { add: [], remove: ['operator'] });
    expect(await roleOf()).toBeUndefined();
  });
});

describe('the admin command', () => {
  test('says that PUBLIC_URL is missing', async () => {
    const { userId } = await api.user();
    expect(await run(userId, {})).toEqual({
      status: 1,
      out: '',
      err: 'The setting PUBLIC_URL is missing: the origin at which people reach the console, such as https://pos.example.com.\n',
    });
  });

  test('makes links for active users only', async () => {
    expect(await run('usr_nobody', { PUBLIC_URL })).toEqual({
      status: 1,
      out: '',
      err: 'The user usr_nobody does not exist or is not active.\n',
    });
  });

  test.each(['pos.example.com', 'ftp://pos.example.com', 'https://pos.example.com/console'])(
    'refuses PUBLIC_URL=%s',
    async (wrong) => {
      const { status, err } = await run('usr_1', { PUBLIC_URL: wrong });
      expect([status, err]).toEqual([1, expect.stringContaining('PUBLIC_URL must be an origin')]);
    },
  );
});

test('guesses are bounded for each address, as tokens are, and a good link still passes', async () => {
  const link = await makeLink();
  const guess = () => press('guess');
  let last = await guess();
  for (let guesses = 0; guesses < 100 && last.status === 404; guesses++) last = await guess();
  expect(last.status).toBe(429);
  expect((await press(link.secret)).status).toBe(303);
});
