import { startTestApi, type TestApi } from '../support/api';
import { visit } from './visitor';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi();
});
afterAll(() => api.stop());

test.each(['/console', '/console/stores'])(
  '%s says what to do next to a user without stores, and nothing to one with',
  async (path) => {
    const user = await api.user();
    const visitor = await visit(api.url, user.token);
    const before = await visitor.get(path);
    expect(before.status).toBe(200);
    expect(before.text).toContain('You have no store yet');
    expect(before.text).toContain(`admin store grant --store … --user ${user.userId}`);
    await api.store(user);
    expect((await visitor.get(path)).text).not.toContain('Begin here');
  },
);

test('an operator of a new deployment reads how the first store is made', async () => {
  const fresh = await startTestApi();
  try {
    const { token } = await fresh.user('operator');
    const { text } = await (await visit(fresh.url, token)).get('/console');
    expect(text).toContain('There are no stores yet.');
    expect(text).toContain('admin store create');
  } finally {
    await fresh.stop();
  }
});
