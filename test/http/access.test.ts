import { createToken, changeUserState, endToken } from '../../src/admin/users';
import { type Permission, PERMISSIONS } from '../../src/users/sql/users';
import { ROUTES } from '../../src/run/routes';
import type { RouteContract } from '../../src/http/route';
import { startWorld, type World, type WorldIds } from '../api-contract/world';
import type { TestCaller } from '../support/api';
import {
  declaredRequest,
  namesAnything,
  sendAsIs,
  type WireAnswer,
} from '../support/declared-request';
import { wantEvents } from '../support/events';
import { answeredSpellings, spellingsOf } from '../support/path-spellings';

/*
 * Made from the declarations: each declared route is tried with every kind of caller and every spelling of its path.
 * A new route needs nothing here unless its path has a new kind of parameter.
 */

let world: World;
let stranger: TestCaller;

beforeAll(async () => {
  world = await startWorld();
  stranger = await world.api.user('inventory:create', 'pos:events');
});
afterAll(() => world.stop());

type Declared = [name: string, route: RouteContract];
const ALL = ROUTES.map((route): Declared => [nameOf(route), route]);
const WITH_TOKEN = ALL.filter(([, { access }]) => access.kind === 'token');
const WITHOUT_TOKEN = ALL.filter(([, { access }]) => access.kind !== 'token');

function nameOf({ method, path }: RouteContract): string {
  return `${method.toUpperCase()} ${path}`;
}

function permissionOf({ access }: RouteContract): Permission | null {
  return access.kind === 'token' ? access.permission : null;
}

let address = 0;

/** Failed authentications are counted per address, so each call comes from another one. */
function call(
  route: RouteContract,
  authorization: string | undefined,
  change: {
    readonly method?: string;
    readonly path?: string;
    readonly body?: string;
    readonly ids?: WorldIds;
  } = {},
): Promise<WireAnswer> {
  address += 1;
  const { ids = world.ids, ...changes } = change;
  const declared = declaredRequest(route, ids);
  const right = { ...declared, path: `${declared.path}${declared.query}` };
  const { method, path, body } = { ...right, ...changes };
  return sendAsIs(world.api.url, {
    method,
    path,
    body,
    from: `127.0.${1 + (address % 200)}.1`,
    headers: {
      ...(authorization === undefined ? {} : { authorization }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
  });
}

const bearer = ({ token }: { readonly token: string }) => `Bearer ${token}`;
const messageOf = ({ text }: WireAnswer): unknown => JSON.parse(text).message;

test('everything under /api/v1 asks for a token', () => {
  expect(WITH_TOKEN.length).toBeGreaterThan(15);
  for (const [, { path }] of WITHOUT_TOKEN) expect(path).not.toMatch(/^\/api/i);
});

describe.each(WITH_TOKEN)('%s', (_name, route) => {
  test('refuses requests without a currently valid token', async () => {
    const { owner, api } = world;
    const expired = await createToken(api, { userId: owner.userId, expiresInSeconds: 0 });
    const revoked = await createToken(api, { userId: owner.userId, expiresInSeconds: null });
    await endToken(api, revoked.token_id);
    const refused = [
      undefined,
      '',
      'Bearer',
      owner.token,
      `Basic ${owner.token}`,
      `Bearer ${owner.token} ${owner.token}`,
      `Bearer ${owner.token.slice(1)}`,
      `Bearer ${owner.token.toUpperCase()}`,
      'Bearer unknown',
      bearer(expired),
      bearer(revoked),
    ];
    for (const authorization of refused) {
      const { status, text } = await call(route, authorization);
      expect([authorization, status, text]).toEqual([authorization, 401, 'Unauthorized.']);
    }
  });

  test('refuses deactivated and deleted users, whatever they send', async () => {
    const deleted = route.access.kind === 'token' && route.access.deletedUser === 'user_missing';
    for (const [state, status, sentence] of [
      ['deactivated', 409, 'User not authenticated.'],
      ['deleted', deleted ? 404 : 409, 'User not found.'],
    ] as const) {
      const user = await world.api.user(...PERMISSIONS);
      await changeUserState(world.api, user.userId, state);
      const sent = route.body.kind === 'json' ? [{}, { body: 'no JSON' }] : [{}];
      for (const change of sent) {
        const answer = await call(route, bearer(user), change);
        expect([answer.status, messageOf(answer)]).toEqual([status, [sentence]]);
      }
    }
  });

  test('gives another user none of the owner’s data', async () => {
    const { status, text } = await call(route, bearer(stranger));
    expect(status).toBeLessThan(500);
    const { systemId, uploadId, deliveryId } = world.ids;
    for (const id of [systemId, uploadId, deliveryId]) expect(text).not.toContain(id);
  });

  test('admits the users for whom it is meant', async () => {
    const ends = route.method === 'delete' || /^(?:cancelUpload|revertRollout)$/.test(route.id);
    const ids = ends ? await world.spare() : world.ids;
    const { status, text } = await call(route, bearer(world.owner), { ids });
    // Its owner has one only, which the tests after this one ask for.
    if (route.id === 'deleteEventsWebhook') await wantEvents(world.owner);
    expect([status, text]).toEqual([expect.any(Number), expect.any(String)]);
    expect(status).toBeGreaterThanOrEqual(200);
    expect(status).toBeLessThan(300);
  });

  test('lists the allowed methods by 405', async () => {
    const options = await call(route, undefined, { method: 'OPTIONS' });
    expect(options.status).toBe(405);
    expect(String(options.headers['allow']).split(', ')).toContain(route.method.toUpperCase());
  });
});

test.each(WITH_TOKEN.filter(([, route]) => namesAnything(route)))(
  '%s refuses a user who names what is another’s',
  async (_name, route) => {
    expect((await call(route, bearer(stranger))).status).toBeGreaterThanOrEqual(400);
  },
);

test.each(WITH_TOKEN.filter(([, route]) => permissionOf(route) !== null))(
  '%s is closed to a user with every permission but its own',
  async (_name, route) => {
    const others = PERMISSIONS.filter((each) => each !== permissionOf(route));
    const user = await world.api.user(...others.filter((each) => each !== 'operator'));
    const answer = await call(route, bearer(user));
    expect([answer.status, messageOf(answer)]).toEqual([
      403,
      ['You do not have the permissions to access this resource.'],
    ]);
  },
);

test.each(WITH_TOKEN.filter(([, { method }]) => method === 'get'))(
  '%s is as closed to HEAD, and answers it without a body',
  async (_name, route) => {
    expect((await call(route, undefined, { method: 'HEAD' })).status).toBe(401);
    const { status, text } = await call(route, bearer(world.owner), { method: 'HEAD' });
    expect([status, text]).toEqual([200, '']);
  },
);

/** A page of the console redirects strangers to its sign-in page, whose form is refused if it is invalid. */
function statusWithoutToken({ id, access, body, answers }: RouteContract): number {
  // The link is the secret, and the request has none.
  if (id === 'console/sign-in-link') return 404;
  if (access.kind === 'signature') return 401;
  if (access.kind === 'session') return 303;
  return body.kind === 'form' ? 415 : Number(answers[0].status);
}

describe.each(WITHOUT_TOKEN)('%s', (_name, route) => {
  test('needs no token, and does not accept one instead of a signature', async () => {
    const { status } = await call(route, undefined);
    const withToken = await call(route, bearer(world.owner));
    const expected = statusWithoutToken(route);
    expect([status, withToken.status]).toEqual([expected, expected]);
  });
});

/** The night tries every spelling of every path (`path-spellings.test.ts`). */
const EVERY = 16;

test.each(ALL.map(([name, route], index) => [name, route, index] as const))(
  '%s is at its own path and no other spelling of it',
  async (_name, route, index) => {
    const { path } = declaredRequest(route, world.ids);
    const spellings = spellingsOf(route.path, path).filter((_, at) => at % EVERY === index % EVERY);
    expect(await answeredSpellings(world, route, spellings)).toEqual([]);
  },
);

test('a target that is a whole URL stands for its path', async () => {
  const [live] = ROUTES.filter(({ id }) => id === 'live');
  if (!live) throw new Error('there is no route live');
  const at = (path: string) => call(live, undefined, { path });
  expect((await at('http://any.example/health/live')).status).toBe(200);
  expect((await at('HTTPS://any.example:1/health/live?x')).status).toBe(200);
  expect((await at('http://any.example/health/LIVE')).status).toBe(404);
  expect((await at('http://any.example')).status).toBe(404);
  expect((await at('*')).status).toBe(404);
});
