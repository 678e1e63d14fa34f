import { pageAfterSignIn } from '../../src/console/require-session';
import { type ConsoleWorld, startConsoleWorld } from './console-world';
import { type Visitor, visit } from './visitor';

let world: ConsoleWorld;
let owner: Visitor;
beforeAll(async () => {
  world = await startConsoleWorld();
  owner = await visit(world.api.url, world.owner.token);
});
afterAll(() => world.api.stop());

describe('a link to a page', () => {
  test('ends at the page, with its query, after the user signs in', async () => {
    const page = `/console/uploads?state=failed&store_id=${world.rows.key.storeId}`;
    const away = await fetch(`${world.api.url}${page}`, { redirect: 'manual' });
    const signIn = await fetch(`${world.api.url}${away.headers.get('location')}`);
    const [, next = ''] = /name="next" value="([^"]+)"/.exec(await signIn.text()) ?? [];
    const sent = await fetch(`${world.api.url}/console/sign-in`, {
      method: 'POST',
      body: new URLSearchParams({ token: world.owner.token, next: next.replaceAll('&amp;', '&') }),
      redirect: 'manual',
    });
    expect(sent.headers.get('location')).toBe(page);
  });

  test('is kept when the token was refused', async () => {
    const sent = await fetch(`${world.api.url}/console/sign-in`, {
      method: 'POST',
      body: new URLSearchParams({ token: 'wrong', next: '/console/stores' }),
    });
    const text = await sent.text();
    expect(sent.status).toBe(401);
    expect(text).toContain('An operator makes one: admin token create --user usr_…');
    expect(text).toContain('name="next" value="/console/stores"');
  });

  test('leads to no other place: only to pages under /console/', () => {
    const refused = [
      null,
      '',
      '/console',
      '/consoles/x',
      '//elsewhere.example/console/',
      'https://elsewhere.example/console/uploads',
      '/console//elsewhere.example',
      '/console/..//elsewhere.example',
      '/console/../api/v1/me',
      '/console/%2e%2e/api/v1/me',
      '/console/\\elsewhere.example',
      '/console/.\t./..\n//elsewhere.example',
      '/console/.\t./\t/elsewhere.example',
      ` /console/uploads`,
      `/console/${'x'.repeat(2_048)}`,
    ];
    expect(refused.map((each) => pageAfterSignIn(each))).toEqual(refused.map(() => undefined));
    const page = '/console/uploads?state=failed';
    expect(pageAfterSignIn(page)).toBe(page);
  });
});

const find = (q: string) => owner.get(`/console/find?${new URLSearchParams({ q }).toString()}`);

describe('what is sought in the header', () => {
  test('leads to its page where it is one thing', async () => {
    const { storeId } = world.rows.key;
    const pages = [
      [` ${world.uploadId} `, `/console/uploads/${world.uploadId}`],
      [world.deliveryId, `/console/deliveries/${world.deliveryId}`],
      [world.deliveryId.replace('dlv_', 'msg_'), `/console/deliveries/${world.deliveryId}`],
      ['stock keep', `/console/webhooks?inventory_system_id=${world.systemId}`],
      [world.systemId, `/console/webhooks?inventory_system_id=${world.systemId}`],
    ] as const;
    for (const [sought, page] of pages) {
      const { status, headers } = await find(sought);
      expect([sought, status, headers.get('location')]).toEqual([sought, 303, page]);
    }
    const { text } = await owner.get(`/console/webhooks?inventory_system_id=${world.systemId}`);
    expect(text).toContain('http://127.0.0.1:9/stock');
    await world.api.sql`update store set name = 'Café Central' where store_id = ${storeId}::bigint`;
    await world.owner.patch(`/store/${storeId}`, { name: 'Café Central' });
    expect((await find('cafe')).headers.get('location')).toBe(`/console/stores/${storeId}`);
  });

  test('is a page of all that it may be, each with a link', async () => {
    const second = await world.api.store(world.owner);
    await world.owner.patch(`/store/${second}`, { name: 'Café Sur' });
    const { status, text } = await find('café');
    expect(status).toBe(200);
    for (const id of [second, world.rows.key.storeId]) {
      expect(text).toContain(`href="/console/stores/${id}"`);
    }
  });

  test.each(['usr_1', 'upl_', 'https://elsewhere.example', 'upl_../../x'])(
    'that is %p is nothing, and the page says so',
    async (sought) => {
      const { status, text } = await find(sought);
      expect([status, text.includes('Nothing that you may see is')]).toEqual([200, true]);
    },
  );

  test('that is empty is refused, as a page', async () => {
    const { status, text } = await find('');
    expect([status, text.includes('role="alert"')]).toEqual([422, true]);
  });
});

test('a page says when it was made, and of which zone its times are', async () => {
  const { text } = await owner.get('/console/uploads');
  expect(text).toMatch(/Times are UTC\.<\/span> Made at <time [^>]+>[^<]+<\/time>\./);
});
