import { undescribed } from '../support/openapi-reader';
import { versionedMenu } from '../support/versioned-menu';
import { startWorld, type World } from './world';

let world: World;

beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.stop());

function start(targets: object[], more: object = {}) {
  return world.owner.post('/menus/rollouts', { targets, ...more, ...versionedMenu(1) });
}

test('null for an optional field counts as absent', async () => {
  const started = await start([{ store_id: world.storeId, integration_id: world.integrationId }], {
    parallel: null,
    stop_after_failures: null,
  });
  expect(started.status).toBe(202);
  const { json } = await world.owner.get(`/menus/rollouts/${started.json.data.rollout_id}`);
  expect(json.data).toMatchObject({ parallel: 10, stop_after_failures: 0 });
});

test.each([
  ['incomplete', {}, 2_000, 'required'],
  ['repeated', { store_id: 'nowhere', integration_id: 1 }, 999, 'invalid'],
])('of a thousand %s targets an answer names the first fifty', async (_what, each, count, code) => {
  const targets = Array.from({ length: 1_000 }, () => each);
  const plain = await start(targets);
  expect(plain.status).toBe(422);
  expect(Object.keys(plain.json)).toHaveLength(50);
  const problem = await world.owner.post(
    '/menus/rollouts',
    { targets, ...versionedMenu(1) },
    { accept: 'application/problem+json' },
  );
  expect(undescribed('startRollout', problem)).toEqual([]);
  const { errors, omitted } = problem.json;
  expect(errors).toHaveLength(50);
  expect(errors[49]).toMatchObject({ code, pointer: expect.stringMatching(/^\/targets\/\d+/) });
  const left = (omitted as { readonly count: number }[]).map((entry) => entry.count);
  expect(left.reduce((sum, more) => sum + more, 0)).toBe(count - 50);
});
