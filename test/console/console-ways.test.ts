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

describe('an id in the header', () => {
  test.each([
    ['upl_', '/console/uploads/'],
    ['dlv_', '/console/deliveries/'],
    ['rol_', '/console/rollouts/'],
  ])('that begins with %s leads to its page', async (prefix, path) => {
    const id = `${prefix}${world.uploadId.slice(4)}`;
    const { status, headers } = await owner.get(`/console/find?id=%20${id}%20`);
    expect([status, headers.get('location')]).toEqual([303, `${path}${id}`]);
  });

  test.each(['', 'usr_1', 'upl_', 'https://elsewhere.example', 'upl_../../x'])(
    'that is %p is not found, as a page',
    async (id) => {
      const { status, text } = await owner.get(`/console/find?${new URLSearchParams({ id })}`);
      expect([status, text.includes('role="alert"')]).toEqual([404, true]);
    },
  );
});

test('a page says when it was made, and of which zone its times are', async () => {
  const { text } = await owner.get('/console/uploads');
  expect(text).toMatch(/Times are UTC\.<\/span> Made at <time [^>]+>[^<]+<\/time>\./);
});
