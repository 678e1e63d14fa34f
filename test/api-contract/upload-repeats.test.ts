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

const upload = (key: string) =>
  world.owner.post('/menus/upload', world.menu, {
    'idempotency-key': key,
    prefer: 'respond-async',
  });

test('an upload that was accepted is answered so again, although its integration is no longer active', async () => {
  const first = await upload('accepted');
  expect(first.status).toBe(202);
  await forgetAnswer('accepted');
  await world.api.sql`
    update integration set active = false where integration_id = ${world.integrationId}::bigint`;
  const refused = { status: 409, json: { message: ['Integration not available.'], data: null } };
  expect(await upload('another')).toMatchObject(refused);
  const again = await upload('accepted');
  expect(again.status).toBe(202);
  expect(again.json.data.upload_id).toBe(first.json.data.upload_id);
});
