import Router from '@koa/router';
import Koa from 'koa';
import { declaredOnly } from '../../src/http/middleware/declared-only';
import { errors } from '../../src/http/middleware/errors';
import { createRequestHandler } from '../../src/http/request-handler';
import { emptyBody, noBody, signedBody } from '../../src/http/body/request-body';
import { noQuery, PUBLIC, type Route, route, token } from '../../src/http/route';
import { createRouter, requireDeclared } from '../../src/http/router';
import { startHttpServer } from '../../src/http/server';
import type { RequestState } from '../../src/http/state';
import { createLog } from '../../src/platform/observe/log';

const ANSWERS = [
  { status: 200, schema: { type: 'object' }, examples: { ok: {} } },
] as const satisfies Route<object>['answers'];

const RIGHT = {
  id: 'thing',
  method: 'get',
  path: '/things/{thing_id}',
  parameters: { thing_id: '1' },
  group: 'Service',
  summary: 'See a thing',
  access: PUBLIC,
  idempotency: 'none',
  query: noQuery,
  body: noBody,
  answers: ANSWERS,
  handle(_deps: object, { ctx }: { ctx: Koa.ParameterizedContext }) {
    ctx.body = { id: ctx['params'].thing_id };
  },
} as const;

const declared = route(RIGHT);

test('a declaration without access, input or answers does not compile', () => {
  const refusedByTheCompiler = [
    // @ts-expect-error -- it does not say who may call it
    () => route({ ...RIGHT, access: undefined }),
    // @ts-expect-error -- nothing is said about its body
    () => route({ ...RIGHT, body: undefined }),
    // @ts-expect-error -- nothing is said about its query
    () => route({ ...RIGHT, query: undefined }),
    // @ts-expect-error -- nothing is said about an idempotency key
    () => route({ ...RIGHT, idempotency: undefined }),
    // @ts-expect-error -- the parameter of its path has no example
    () => route({ ...RIGHT, parameters: undefined }),
    // @ts-expect-error -- the parameter of its path is another one
    () => route({ ...RIGHT, parameters: { other_id: '1' } }),
    // @ts-expect-error -- it has no handler
    () => route({ ...RIGHT, handle: undefined }),
    // @ts-expect-error -- it answers nothing
    () => route({ ...RIGHT, answers: [] }),
  ];
  expect(refusedByTheCompiler).toHaveLength(8);
});

test.each([
  ['a path under /api/v1 that anybody may call', { path: '/api/v1/things/{thing_id}' }],
  ['the same in another case', { path: '/API/v1/things/{thing_id}' }],
  ['a GET with a body', { body: emptyBody }],
  ['a GET whose answer is kept', { access: token(), idempotency: 'kept' }],
  ['a stored answer without a user', { method: 'post', idempotency: 'kept' }],
  ['a signed body without a signature', { body: signedBody({ maxBytes: 1, example: {} }) }],
] as const)('%s is declared wrongly: the process does not start', (_what, change) => {
  expect(() => route({ ...RIGHT, ...change } as unknown as typeof RIGHT)).toThrow(
    /declared wrongly/,
  );
});

const rogue = () => new Router().get('/things/:thing_id/secret', () => {});
const start = (...routes: Route<object>[]) =>
  createRequestHandler({ log: createLog('silent'), routes, deps: {}, guardsOf: () => [] });

describe('a route that is registered in another way keeps the process from starting', () => {
  test('by a router of its own', () => {
    const app = new Koa().use(rogue().routes());
    expect(() => requireDeclared(app.middleware, [declared])).toThrow(
      'routes without a declaration: GET /things/:thing_id/secret',
    );
  });

  test('inside of another router', () => {
    const app = new Koa().use(new Router({ prefix: '/api/v1' }).use(rogue().routes()).routes());
    expect(() => requireDeclared(app.middleware, [declared])).toThrow(
      'routes without a declaration: GET /api/v1/things/:thing_id/secret',
    );
  });

  test('under a path and method that are declared', () => {
    const app = new Koa()
      .use(new Router().get('/things/:thing_id', () => {}).routes())
      .use(new Router().get('/things/:thing_id', () => {}).routes());
    expect(() => requireDeclared(app.middleware, [declared])).toThrow(/registered twice/);
  });

  test('for every method or path', () => {
    const anyMethod = new Koa().use(new Router().all('/things/:thing_id', () => {}).routes());
    expect(() => requireDeclared(anyMethod.middleware, [declared])).toThrow(/DELETE \/things/);
    const anyPath = new Koa().use(new Router().use(() => {}).routes());
    expect(() => requireDeclared(anyPath.middleware, [declared])).toThrow(/ANY/);
  });

  test('twice, when the application is made', () => {
    expect(() => start(declared, declared)).toThrow(/registered twice/);
    expect(() => start(declared)).not.toThrow();
  });
});

test('a path that begins with a parameter keeps the process from starting', () => {
  const anything = route({ ...RIGHT, path: '/{thing_id}' });
  expect(() => start(declared, anything)).toThrow('/:thing_id begins with a parameter');
});

test('an answer that no declared route gave is a 404', async () => {
  const app = new Koa<RequestState>();
  app.use((ctx, next) => {
    ctx.state.logged = {};
    return next();
  });
  app.use(errors);
  app.use(declaredOnly);
  app.use((ctx, next) => {
    ctx.body = 'open';
    return ctx.path === '/open' ? undefined : next();
  });
  app.use(createRouter([declared], {}, () => []));
  const server = await startHttpServer(app.callback(), { host: '127.0.0.1', port: 0 });
  try {
    expect((await fetch(`${server.url}/things/7`)).status).toBe(200);
    const open = await fetch(`${server.url}/open`);
    expect([open.status, await open.json()]).toEqual([
      404,
      { message: ['The resource was not found.'], data: null },
    ]);
  } finally {
    await server.stop();
  }
});
