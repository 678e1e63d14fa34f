import { startTestApi, type TestCaller } from '../support/api';
import { type ConsoleWorld, startConsoleWorld } from './console-world';

const FORM = 'application/x-www-form-urlencoded';

let world: ConsoleWorld;
let stranger: TestCaller;
let operator: TestCaller;

beforeAll(async () => {
  world = await startConsoleWorld();
  stranger = await world.api.user();
  operator = await world.api.user('operator');
});
afterAll(() => world.api.stop());

interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

async function get(path: string, cookie = ''): Promise<Answer> {
  const response = await fetch(`${world.api.url}${path}`, {
    headers: { cookie },
    redirect: 'manual',
  });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

async function send(
  path: string,
  fields: Record<string, string>,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const response = await fetch(`${world.api.url}${path}`, {
    method: 'POST',
    headers: { 'content-type': FORM, ...headers },
    body: new URLSearchParams(fields).toString(),
    redirect: 'manual',
  });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

/** The cookie of a signed-in user. */
async function signIn({ token }: { readonly token: string }): Promise<string> {
  const { headers } = await send('/console/sign-in', { token });
  return headers.get('set-cookie')?.split(';')[0] ?? '';
}

async function formTokenOf(cookie: string): Promise<string> {
  const { text } = await get('/console', cookie);
  return /name="form_token" value="([^"]+)"/.exec(text)?.[1] ?? '';
}

describe('a session', () => {
  test('begins with a token, in a cookie that scripts cannot read and that does not hold the token', async () => {
    const { status, headers } = await send('/console/sign-in', { token: world.owner.token });
    expect([status, headers.get('location')]).toEqual([303, '/console']);
    const cookie = headers.get('set-cookie') ?? '';
    expect(cookie).toMatch(/; path=\/console;.*; samesite=strict; httponly$/);
    const value = /^console_session=([\w-]+)/.exec(cookie)?.[1] ?? '';
    expect(Buffer.from(value, 'base64url').toString('latin1')).not.toContain(world.owner.token);
  });

  test('has a secure cookie where the browser uses https', async () => {
    const origin = world.api.url.replace('http:', 'https:');
    const begun = await send('/console/sign-in', { token: world.owner.token }, { origin });
    const cookie = begun.headers.get('set-cookie') ?? '';
    expect(cookie).toMatch(/; path=\/console;.*; samesite=strict; secure; httponly$/);
    const form_token = await formTokenOf(cookie);
    const ended = await send('/console/sign-out', { form_token }, { cookie, origin });
    expect(ended.headers.get('set-cookie')).toMatch(/^console_session=;.*; secure; httponly$/);
  });

  test('does not begin with a wrong token', async () => {
    const { status, text } = await send('/console/sign-in', { token: 'wrong' });
    expect([status, text.includes('The token is unknown, expired or revoked.')]).toEqual([
      401,
      true,
    ]);
  });

  test('does not begin from the page of another site', async () => {
    const token = { token: world.owner.token };
    const crossed = { 'sec-fetch-site': 'cross-site' };
    expect((await send('/console/sign-in', token, crossed)).status).toBe(403);
    const foreign = { origin: 'https://elsewhere.example' };
    expect((await send('/console/sign-in', token, foreign)).status).toBe(403);
  });

  test('begins behind a proxy that sends a Host of its own', async () => {
    const ours = { origin: 'https://console.example', 'sec-fetch-site': 'same-origin' };
    expect((await send('/console/sign-in', { token: world.owner.token }, ours)).status).toBe(303);
  });

  test.each(['', 'console_session=wrong', 'console_session=QUJD'])(
    'is needed for every page, and %p is not one',
    async (cookie) => {
      for (const path of ['/console', '/console/uploads', `/console/uploads/${world.uploadId}`]) {
        const { status, headers } = await get(path, cookie);
        const next =
          path === '/console' ? '' : `?${new URLSearchParams({ next: path }).toString()}`;
        expect([path, status, headers.get('location')]).toEqual([
          path,
          303,
          `/console/sign-in${next}`,
        ]);
      }
    },
  );

  test('ends with its token, and with its user', async () => {
    const caller = await world.api.user();
    const cookie = await signIn(caller);
    expect((await get('/console', cookie)).status).toBe(200);
    await world.api
      .sql`update access_token set revoked_at = now() where user_id = ${caller.userId}`;
    expect((await get('/console', cookie)).status).toBe(303);
    const other = await world.api.user();
    const otherCookie = await signIn(other);
    await world.api.sql`update app_user set state = 'deactivated' where user_id = ${other.userId}`;
    expect((await get('/console', otherCookie)).status).toBe(303);
  });

  test('ends when the user signs out', async () => {
    const cookie = await signIn(world.owner);
    const form_token = await formTokenOf(cookie);
    const { status, headers } = await send('/console/sign-out', { form_token }, { cookie });
    expect([status, headers.get('location')]).toEqual([303, '/console/sign-in']);
    expect(headers.get('set-cookie')).toMatch(/^console_session=;.*expires=Thu, 01 Jan 1970/);
  });
});

describe('pages', () => {
  test('show only what the API shows to the user: another user sees nothing of the store', async () => {
    const cookie = await signIn(stranger);
    expect((await get('/console/uploads', cookie)).text).not.toContain(world.uploadId);
    const paths = [
      `/console/uploads/${world.uploadId}`,
      `/console/deliveries/${world.deliveryId}`,
      `/console/stores/${world.rows.key.storeId}`,
    ];
    for (const path of paths) {
      const { status, text } = await get(path, cookie);
      expect([path, status === 404 || status === 409, text.includes('role="alert"')]).toEqual([
        path,
        true,
        true,
      ]);
    }
  });

  test.each(['owner', 'operator'])(
    'show the %s uploads, deliveries, webhooks and stores',
    async (who) => {
      const cookie = await signIn(who === 'owner' ? world.owner : operator);
      expect((await get('/console/uploads', cookie)).text).toContain(world.uploadId);
      expect((await get('/console/uploads?state=failed', cookie)).text).not.toContain(
        world.uploadId,
      );
      expect((await get(`/console/uploads/${world.uploadId}`, cookie)).text).toContain('queued');
      expect((await get('/console/deliveries', cookie)).text).toContain(world.deliveryId);
      expect((await get(`/console/deliveries/${world.deliveryId}`, cookie)).text).toContain(
        'pending',
      );
      const webhooks = await get('/console/webhooks', cookie);
      expect(webhooks.text).toContain('http://127.0.0.1:9/stock');
      expect(webhooks.text).toContain('Stock keeper');
      expect((await get('/console/stores', cookie)).text).toContain('Mexico');
      const store = await get(`/console/stores/${world.rows.key.storeId}`, cookie);
      expect(store.text).toContain('App B · App B');
      expect((await get('/console', cookie)).text).toContain(world.failedId);
    },
  );

  test('of a list of one store stay with the store when a state is chosen', async () => {
    const { storeId } = world.rows.key;
    const { text } = await get(`/console/uploads?store_id=${storeId}`, await signIn(world.owner));
    expect(text).toContain(`<input name="store_id" value="${storeId}"/>`);
    expect(text).toContain(`Uploads of store ${storeId}, newest first`);
  });

  test('of a failed upload do not say that the app shows its menu', async () => {
    const path = `/console/uploads/${world.failedId}`;
    const { text } = await get(path, await signIn(world.owner));
    expect(text).toContain('No losses are known.');
    expect(text).not.toContain('Nothing of the menu was lost on its way.');
  });

  test('answer a wrong filter with the sentence of the API', async () => {
    const { status, text } = await get('/console/uploads?state=wrong', await signIn(world.owner));
    expect([status, text.includes('The selected state is invalid.')]).toEqual([422, true]);
  });

  test('show foreign texts as text, and allow no script but our own', async () => {
    const { text, headers } = await get(
      `/console/uploads/${world.failedId}`,
      await signIn(world.owner),
    );
    expect(text).toContain('&lt;script>');
    expect(text.match(/<script[^>]*>/g)).toEqual(['<script src="/console/console.js" defer>']);
    const policy = headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self'; connect-src 'self'");
    expect(policy).not.toMatch(/unsafe|https?:/);
  });
});

describe('an action', () => {
  test('needs the token of the form, and is refused to another site', async () => {
    const cookie = await signIn(world.owner);
    const form_token = await formTokenOf(cookie);
    const path = `/console/webhooks/${world.systemId}/2/disable`;
    const stateNow = async () =>
      (await world.owner.get(`/inventory/system/${world.systemId}/webhook`)).json.data[0].state;
    expect((await send(path, {}, { cookie })).status).toBe(403);
    expect((await send(path, { form_token: 'wrong' }, { cookie })).status).toBe(403);
    const crossed = { cookie, 'sec-fetch-site': 'same-site' };
    expect((await send(path, { form_token }, crossed)).status).toBe(403);
    const otherSession = await formTokenOf(await signIn(world.owner));
    expect((await send(path, { form_token: otherSession }, { cookie })).status).toBe(403);
    expect(await stateNow()).toBe('enabled');
    expect((await send(path, { form_token }, { cookie })).status).toBe(303);
    expect(await stateNow()).toBe('disabled');
    const enable = path.replace('disable', 'enable');
    expect((await send(enable, { form_token }, { cookie })).status).toBe(303);
    expect(await stateNow()).toBe('enabled');
  });

  test('cancels an upload, and a second one says why it cannot', async () => {
    const cookie = await signIn(world.owner);
    const form_token = await formTokenOf(cookie);
    const waiting = await world.rows.insert({ text: 'a menu to cancel' });
    const path = `/console/uploads/${waiting}/cancel`;
    const { status, headers } = await send(path, { form_token }, { cookie });
    expect([status, headers.get('location')]).toEqual([303, `/console/uploads/${waiting}`]);
    expect(await world.rows.state(waiting)).toBe('canceled');
    const again = await send(path, { form_token }, { cookie });
    expect(again.status).toBe(409);
    expect(again.text).toContain('The upload can no longer be canceled.');
  });

  test('that is refused leads back to a page that exists', async () => {
    const cookie = await signIn(world.owner);
    const form_token = await formTokenOf(cookie);
    const path = '/console/webhooks/00000000-0000-4000-8000-000000000000/2/disable';
    const { status, text } = await send(path, { form_token }, { cookie });
    expect(status).toBe(422);
    const [, back = ''] = /<a href="([^"]+)">Back<\/a>/.exec(text) ?? [];
    expect((await get(back, cookie)).status).toBe(200);
  });

  test('sends a delivery again', async () => {
    const cookie = await signIn(world.owner);
    const form_token = await formTokenOf(cookie);
    const path = `/console/deliveries/${world.deliveryId}/resend`;
    expect((await send(path, { form_token }, { cookie })).status).toBe(303);
  });

  test('is refused from a form of another type, and from one that is too large', async () => {
    const cookie = await signIn(world.owner);
    const path = `/console/deliveries/${world.deliveryId}/resend`;
    const json = { cookie, 'content-type': 'application/json' };
    expect((await send(path, {}, json)).status).toBe(415);
    expect((await send(path, { form_token: 'x'.repeat(17_000) }, { cookie })).status).toBe(413);
  });
});

test('with CONSOLE=off there is no console', async () => {
  const without = await startTestApi({ CONSOLE: 'off' });
  try {
    const response = await fetch(`${without.url}/console/sign-in`, { redirect: 'manual' });
    expect(response.status).toBe(404);
  } finally {
    await without.stop();
  }
});
