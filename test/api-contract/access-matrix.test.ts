import { changeUserPermissions, createToken } from '../../src/admin/users';
import { ROUTES } from '../../src/run/routes';
import { newId } from '../../src/platform/ids';
import type { RouteContract } from '../../src/http/route';
import type { TestCaller } from '../support/api';
import { declaredRequest } from '../support/declared-request';
import { wantEvents } from '../support/events';
import { createLinkedStore } from '../support/inventory';
import { type Caller, CALLERS, MATRIX } from './access-matrix';
import { send, startWorld, type World, type WorldIds } from './world';
import { rolloutOf } from './world-uploads';

let world: World;
let callers: Readonly<Record<Before, TestCaller>>;

const WITH_TOKEN: readonly RouteContract[] = ROUTES.filter(({ access }) => access.kind === 'token');
/** Callers before the owner gets the permission. */
type Before = Exclude<Caller, 'supportWhoOwns'>;
const BEFORE = CALLERS.filter((caller): caller is Before => caller !== 'supportWhoOwns');
const DENIED = ['You do not have the permissions to access this resource.'];

beforeAll(async () => {
  world = await startWorld();
  const { api, owner } = world;
  const [other, operator, support] = [
    await api.user('inventory:create', 'pos:events'),
    await api.user('operator'),
    await api.user('support'),
  ];
  callers = { owner, other, operator, support };
});
afterAll(() => world.stop());

/** With a token of its own: what an older one may do is remembered for some seconds. */
async function supportWhoOwns(): Promise<TestCaller> {
  const { api, owner } = world;
  await changeUserPermissions(api, owner.userId, { add: ['support'], remove: [] });
  const { token } = await createToken(api, { userId: owner.userId, expiresInSeconds: null });
  return api.as(owner.userId, token);
}

/** Ids of what the request may use up. */
async function idsFor(route: RouteContract): Promise<WorldIds> {
  if (route.id === 'cancelRollout') {
    const { storeId, integrationId } = world;
    const made = await world.owner.post('/menus/rollouts', rolloutOf(storeId, integrationId));
    return { ...world.ids, rolloutId: made.json.data.rollout_id };
  }
  const endsIt = route.method === 'delete' || /^(?:cancelUpload|revertRollout)$/.test(route.id);
  return endsIt ? world.spare() : world.ids;
}

async function ask(route: RouteContract, { token }: TestCaller) {
  const { method, path, query, body } = declaredRequest(route, await idsFor(route));
  const answer = await send(world.api, {
    method,
    path: `${path}${query}`,
    headers: {
      authorization: `Bearer ${token}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body }),
  });
  // Its owner has one only.
  if (route.id === 'deleteEventsWebhook') await wantEvents(world.owner);
  return answer;
}

test('every route that asks for a token is in the matrix, and nothing else', () => {
  expect(Object.keys(MATRIX).toSorted()).toEqual(WITH_TOKEN.map(({ id }) => id).toSorted());
});

function resend(caller: TestCaller, body: object) {
  return caller.post('/webhooks/deliveries/resend', body);
}

const ROWS = WITH_TOKEN.map((route) => [route.id, route] as const);

test.each(ROWS)('%s answers each kind of user as the matrix says', async (id, route) => {
  const got: number[] = [];
  const denials: unknown[] = [];
  for (const caller of BEFORE) {
    const { status, json } = await ask(route, callers[caller]);
    got.push(status);
    if (status === 403) denials.push(json);
  }
  for (const denial of denials) expect(denial).toEqual({ message: DENIED, data: null });
  expect(got).toEqual(MATRIX[id]?.slice(0, BEFORE.length));
});

describe('of the owner’s things, with the permission support', () => {
  let caller: TestCaller;
  beforeAll(async () => {
    caller = await supportWhoOwns();
  });

  test.each(ROWS)('%s answers the owner as before', async (id, route) => {
    const { status } = await ask(route, caller);
    expect(status).toBe(MATRIX[id]?.at(-1));
  });

  test('they send again what is their own, and with dry_run they count everybody’s', async () => {
    const { api } = world;
    const stranger = await createLinkedStore(api, 'The system of a stranger');
    const foreign = { inventory_system_id: stranger.systemId };
    expect((await resend(caller, {})).status).toBe(202);
    expect((await resend(caller, { inventory_system_id: world.systemId })).status).toBe(202);
    expect(await resend(caller, foreign)).toMatchObject({ status: 403, json: { message: DENIED } });
    expect((await resend(caller, { ...foreign, dry_run: true })).status).toBe(200);
  });

  test('of a rollout the targets in other stores are refused, and the rest is done', async () => {
    const { api, storeId, integrationId } = world;
    const foreign = await api.store();
    const targets = [storeId, foreign].map((store_id) => ({
      store_id,
      integration_id: integrationId,
    }));
    const made = await caller.post('/menus/rollouts', {
      ...rolloutOf(storeId, integrationId),
      targets,
    });
    expect(made.status).toBe(202);
    const { json } = await caller.get(`/menus/rollouts/${made.json.data.rollout_id}/targets`);
    expect(json.data).toMatchObject([
      { store_id: storeId, state: 'waiting' },
      { store_id: foreign, state: 'refused', messages: DENIED },
    ]);
  });
});

describe('with the permission support alone', () => {
  const denied = { status: 403, json: { message: DENIED, data: null } };

  test('nothing is sent again by any filter', async () => {
    const { support, operator } = callers;
    expect(await resend(support, {})).toMatchObject(denied);
    expect(await resend(support, { type: 2, state: 'exhausted' })).toMatchObject(denied);
    expect(await resend(support, { inventory_system_id: world.systemId })).toMatchObject(denied);
    expect((await resend(support, { dry_run: true })).json.data.count).toBe(
      (await resend(operator, { dry_run: true })).json.data.count,
    );
  });

  test('what does not exist is as unknown as to everybody', async () => {
    const { support } = callers;
    const unknown = newId('upl');
    expect((await support.post(`/menus/uploads/${unknown}/cancel`, {})).status).toBe(404);
    expect((await support.post('/store/999999999/pause', {})).status).toBe(404);
    expect(
      (
        await support.post('/menus/availability', {
          store_id: 999_999_999,
          items: [{ external_id: 'I1', available: false }],
        })
      ).status,
    ).toBe(422);
  });

  test.each([
    '/store',
    '/inventory/system',
    '/menus/uploads',
    '/menus/rollouts',
    '/menus/availability',
    '/webhooks/deliveries',
  ])('GET %s is what operators see', async (path) => {
    const { support, operator } = callers;
    const seen = (await support.get(path)).json;
    expect(seen).toEqual((await operator.get(path)).json);
  });
});
