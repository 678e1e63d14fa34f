import type { ConformanceSubject } from './conformance-subject';
import { CLIENT_SECRET, openWorkbench, type Workbench } from './workbench';

/** What holds for every app's token call. */
export function describeTokens(subject: ConformanceSubject): void {
  let bench: Workbench;
  beforeAll(async () => {
    bench = await openWorkbench(subject);
  });
  beforeEach(() => bench.reset());
  afterAll(() => bench.close());

  const routes = async () => (await bench.requests()).map(({ route }) => route);

  if (subject.keyIsToken) {
    test('the key is the token, without a call', async () => {
      const result = await bench.client.fetchToken(bench.credential);
      expect(result).toMatchObject({ kind: 'token', token: CLIENT_SECRET });
      if (result.kind === 'token') expect(result.expiresAt).toBeGreaterThan(Date.now() + 60_000);
      expect(await routes()).toEqual([]);
    });

    test('a key that no header can have is refused, without naming it', async () => {
      const clientSecret = 'first-line\nsecond-line';
      const result = await bench.client.fetchToken({ ...bench.credential, clientSecret });
      expect(result.kind).toBe('refused');
      expect(JSON.stringify(result)).not.toContain('second-line');
    });
    return;
  }

  test('the token comes from a call; an app without one says keyIsToken in its test', async () => {
    await bench.token();
    expect(await routes()).toContain('token');
  });

  test('good credentials get a token that ends in the future', async () => {
    const result = await bench.client.fetchToken(bench.credential);
    expect(result).toMatchObject({ kind: 'token', token: expect.any(String) });
    if (result.kind === 'token') expect(result.expiresAt).toBeGreaterThan(Date.now() + 60_000);
  });

  test('wrong credentials are refused for good, without naming the secret', async () => {
    const clientSecret = `${CLIENT_SECRET}wrong`;
    const result = await bench.client.fetchToken({ ...bench.credential, clientSecret });
    expect(result.kind).toBe('refused');
    expect(JSON.stringify(result)).not.toContain(CLIENT_SECRET);
  });

  test.each([
    { kind: 'status', status: 503 },
    { kind: 'rate_limit', s: 7 },
    { kind: 'reset_before' },
    { kind: 'reset_mid' },
    { kind: 'bad_json' },
    { kind: 'bad_json', mode: 'cut' },
    { kind: 'endless_body' },
  ])('$kind is tried again, and works then', async (fault) => {
    await bench.queueFault({ ...fault, route: 'token' });
    const result = await bench.client.fetchToken(bench.credential);
    expect(result.kind).toBe('retry');
    if (fault.kind === 'rate_limit') expect(result).toMatchObject({ afterMs: 7_000 });
    expect((await bench.client.fetchToken(bench.credential)).kind).toBe('token');
  });

  test('a token call without answer in time is tried again', async () => {
    await bench.queueFault({ kind: 'late', ms: 2_000, route: 'token' });
    expect((await bench.hastyClient.fetchToken(bench.credential)).kind).toBe('retry');
  });

  test('a redirect of the token call is not followed', async () => {
    await bench.queueFault({ kind: 'redirect', route: 'token' });
    expect((await bench.client.fetchToken(bench.credential)).kind).not.toBe('token');
    expect(await routes()).toEqual(['token']);
  });
}
