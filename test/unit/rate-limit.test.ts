import type { Middleware } from 'koa';
import { Registry } from 'prom-client';
import { rateLimit } from '../../src/http/admission/rate-limit';
import type { RequestState } from '../../src/http/state';
import { createBounds } from '../../src/platform/admission/bound-metrics';

type Context = Parameters<Middleware<RequestState>>[0];

function createLimited(perSecond: number, access: 'token' | 'session' = 'token') {
  let now = 0;
  const limit = rateLimit(perSecond, createBounds(new Registry()), () => now);
  return {
    pass: (ms: number) => (now += ms),
    /** The headers of the answer to one request. */
    ask: async (tokenId = 'tok_1') => {
      const headers: Record<string, string> = {};
      const state = { caller: { tokenId, userId: 'usr_1' }, route: { access: { kind: access } } };
      const ctx = { state, set: (more: object) => Object.assign(headers, more) };
      const refused = await limit(ctx as unknown as Context, async () => {}).then(
        () => undefined,
        (error: Error) => error.message,
      );
      return { headers, refused };
    },
  };
}

test('each answer says what is left of the burst, and when all of it is free again', async () => {
  const { ask, pass } = createLimited(2);
  const said = async () => (await ask()).headers;
  expect(await said()).toEqual({
    'RateLimit-Policy': '"token";q=4;w=2',
    RateLimit: '"token";r=3;t=1',
  });
  expect(await said()).toMatchObject({ RateLimit: '"token";r=2;t=1' });
  expect(await said()).toMatchObject({ RateLimit: '"token";r=1;t=2' });
  expect(await said()).toMatchObject({ RateLimit: '"token";r=0;t=2' });
  const { headers, refused } = await ask();
  expect(refused).toBe('Too many requests.');
  expect(headers).toMatchObject({ RateLimit: '"token";r=0;t=2' });
  pass(750);
  expect(await said()).toMatchObject({ RateLimit: '"token";r=0;t=2' });
  pass(10_000);
  expect(await said()).toMatchObject({ RateLimit: '"token";r=3;t=1' });
});

test('each token has its own', async () => {
  const { ask } = createLimited(1);
  await ask('tok_1');
  expect((await ask('tok_2')).headers).toMatchObject({ RateLimit: '"token";r=1;t=1' });
});

test('pages of the console say nothing of it', async () => {
  expect((await createLimited(1, 'session').ask()).headers).toEqual({});
});
