import { versionedMenu } from '../support/versioned-menu';
import { startWorld, type World } from './world';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.stop());

/** Makes the key of a request look as if its process had died before the answer. */
const forgetAnswer = (key: string) => world.api.sql`
  update idempotency_key
  set status = null, answer_encrypted = null, lease_until = now() - interval '1 s'
  where key = ${key}`;

const revert = (rolloutId: string, key: string) =>
  world.owner.post(`/menus/rollouts/${rolloutId}/revert`, {}, { 'idempotency-key': key });

test('a revert that was refused is refused again if its process died before the answer', async () => {
  const { storeId, integrationId, owner } = world;
  const { json } = await owner.post('/menus/rollouts', {
    targets: [{ store_id: storeId, integration_id: integrationId }],
    ...versionedMenu(1),
  });
  const refusal = {
    status: 409,
    json: { message: ['The rollout is still running.'], data: null },
  };
  expect(await revert(json.data.rollout_id, 'refused')).toMatchObject(refusal);
  await forgetAnswer('refused');
  expect(await revert(json.data.rollout_id, 'refused')).toMatchObject(refusal);
});

test('a revert that was started is answered again if its process died before the answer', async () => {
  const { rolloutId } = await world.spare();
  expect((await revert(rolloutId, 'started')).status).toBe(202);
  await forgetAnswer('started');
  expect((await revert(rolloutId, 'started')).status).toBe(202);
});
