import { changeUserPermissions, changeUserState } from '../../src/admin/users';
import { startTestApi, type TestApi } from '../support/api';
import { visit } from './visitor';

let api: TestApi;

beforeAll(async () => {
  api = await startTestApi({ PUBLIC_URL: 'https://pos.example.com' });
});
afterAll(() => api.stop());

function press(secret: string) {
  return fetch(`${api.url}/console/sign-in/link`, {
    method: 'POST',
    redirect: 'manual',
    body: new URLSearchParams({ secret }),
  });
}

async function linkByConsole(operatorToken: string, userId: string) {
  const operator = await visit(api.url, operatorToken);
  return operator.send(`/console/users/${userId}/sign-in-link`);
}
/** The secret of the link on a page. */
function secretIn(text: string): string {
  const url = /https:[^<]+/.exec(text)?.[0].replaceAll('&amp;', '&') ?? '';
  expect(url).toMatch(/^https:\/\/pos\.example\.com\//);
  return new URL(url).searchParams.get('secret') ?? '';
}

test('an operator makes a link for a user, which is good while they are one', async () => {
  const operator = await api.user('operator');
  const { userId } = await api.user();
  const list = await (await visit(api.url, operator.token)).get('/console/users?name=user');
  expect(list.text).toContain(`/console/users/${userId}/sign-in-link`);
  const { status, text, headers } = await linkByConsole(operator.token, userId);
  expect([status, headers.get('cache-control')]).toEqual([200, 'no-store']);
  const secret = secretIn(text);
  const second = secretIn((await linkByConsole(operator.token, userId)).text);
  expect((await press(secret)).status).toBe(303);
  await changeUserPermissions(api, operator.userId, { add: [], remove: ['operator'] });
  expect((await press(second)).status).toBe(410);
});

test('support sees the users, and makes no link; others see neither', async () => {
  const support = await api.user('support');
  const other = await api.user('inventory:create', 'pos:events');
  const seen = await (await visit(api.url, support.token)).get('/console/users');
  expect(seen.status).toBe(200);
  expect(seen.text).not.toContain('sign-in-link');
  expect((await linkByConsole(support.token, other.userId)).status).toBe(403);
  expect((await linkByConsole(other.token, other.userId)).status).toBe(403);
  expect((await (await visit(api.url, other.token)).get('/console/users')).status).toBe(403);
});

test('nobody gets a link who is not active', async () => {
  const operator = await api.user('operator');
  const { userId } = await api.user();
  await changeUserState(api, userId, 'deactivated');
  const { status, text } = await linkByConsole(operator.token, userId);
  expect([status, text.includes('The user does not exist or is not active.')]).toEqual([404, true]);
});

test('without PUBLIC_URL the console makes no links', async () => {
  const bare = await startTestApi();
  try {
    const operator = await bare.user('operator');
    const visitor = await visit(bare.url, operator.token);
    const { status, text } = await visitor.get('/console/users');
    expect([status, text.includes('sign-in-link')]).toEqual([200, false]);
    const made = await visitor.send(`/console/users/${operator.userId}/sign-in-link`);
    expect(made.status).toBe(404);
  } finally {
    await bare.stop();
  }
});
