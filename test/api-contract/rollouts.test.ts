import { advanceRollout } from '../../src/rollouts/advance-rollout';
import { removeExpiredRollouts, type RolloutId } from '../../src/rollouts/sql/rollouts';
import { versionedMenu } from '../support/versioned-menu';
import { undescribed } from '../support/openapi-reader';
import { startWorld, type World } from './world';

let world: World;

beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.stop());

const missing = { status: 404, json: { message: ['The rollout was not found.'], data: null } };
const refusal = (sentence: string) => ({
  status: 409,
  json: { message: [sentence], data: null },
});

function start(targets: object[], more: object = {}) {
  return world.owner.post('/menus/rollouts', { targets, ...more, ...versionedMenu(1) });
}

const at = (rolloutId: string, what = '') => `/menus/rollouts/${rolloutId}${what}`;

test('a target is refused if an upload to it would be, and the others continue', async () => {
  const { storeId, integrationId, owner, api } = world;
  const foreign = await api.store();
  const lonely = await world.addIntegration('app-a');
  const started = await start([
    { store_id: storeId, integration_id: integrationId },
    { store_id: 'nowhere', integration_id: '1' },
    { store_id: foreign, integration_id: '1' },
    { store_id: String(storeId), integration_id: lonely },
    { store_id: storeId, integration_id: 999_999 },
  ]);
  expect(started.status).toBe(202);
  expect(undescribed('startRollout', started)).toEqual([]);
  const { rollout_id: rolloutId, status_url: url } = started.json.data;
  expect(url).toBe(`/api/v1/menus/rollouts/${rolloutId}`);

  const shown = await owner.get(at(rolloutId));
  expect(undescribed('getRollout', shown)).toEqual([]);
  expect(shown.json.data).toMatchObject({
    rollout_id: rolloutId,
    state: 'running',
    parallel: 10,
    stop_after_failures: 0,
    counts: { waiting: 1, refused: 4, queued: 0 },
    revert: null,
  });
  const targets = await owner.get(at(rolloutId, '/targets'));
  expect(undescribed('listRolloutTargets', targets)).toEqual([]);
  expect(targets.json.data).toEqual([
    {
      store_id: storeId,
      integration_id: String(integrationId),
      state: 'waiting',
      upload_id: expect.stringMatching(/^upl_/),
      waiting_for: expect.objectContaining({ reason: 'permit', attempts: 0 }),
      messages: ['The menu waits for a place in its rollout.'],
      live: false,
    },
    ...(
      [
        ['nowhere', '1', 'The selected store id is invalid.'],
        [foreign, '1', "You don't have this store available."],
        [storeId, String(lonely), 'This store does not have a token for this delivery.'],
        [storeId, '999999', 'Integration not available.'],
      ] as const
    ).map(([store, integration, sentence]) => ({
      store_id: store,
      integration_id: integration,
      state: 'refused',
      upload_id: null,
      waiting_for: null,
      messages: [sentence],
      live: false,
    })),
  ]);
  const refused = await owner.get(at(rolloutId, '/targets?state=refused&limit=3'));
  expect(refused.json.data).toHaveLength(3);
  const rest = await owner.get(
    at(rolloutId, `/targets?state=refused&limit=3&cursor=${refused.json.next_cursor}`),
  );
  expect(rest.json.data).toHaveLength(1);
  expect(rest.json.next_cursor).toBeNull();

  const uploadId = targets.json.data[0].upload_id;
  const upload = await owner.get(`/menus/uploads/${uploadId}`);
  expect(upload.json.data).toMatchObject({ state: 'queued', rollout_id: rolloutId });
});

test('the menu of a target is the rollout’s, with the target’s ids and unknown members', async () => {
  const { storeId, integrationId, owner } = world;
  const target = { store_id: String(storeId), integration_id: integrationId };
  const started = await start([target], { parallel: 3, campaign: { name: 'Summer' } });
  const rolloutId = started.json.data.rollout_id;
  const targets = await owner.get(at(rolloutId, '/targets'));
  const menu = () => owner.get(`/menus/uploads/${targets.json.data[0].upload_id}/menu`);
  const sent = { ...target, campaign: { name: 'Summer' }, ...versionedMenu(1) };
  expect((await menu()).json.data).toEqual(sent);

  // It may be live for years after its rollout is gone.
  await world.api.sql`
    update rollout set state = 'done', finished_at = now() - interval '31 days'
    where rollout_id = ${rolloutId}`;
  expect(await removeExpiredRollouts(world.api.sql, 30, 100)).toBeGreaterThan(0);
  expect(await owner.get(at(rolloutId))).toMatchObject(missing);
  expect((await menu()).json.data).toEqual(sent);
});

test('a rollout is visible to its starter and to operators', async () => {
  const { api, ids } = world;
  const stranger = await api.user();
  expect(await stranger.get(at(ids.rolloutId))).toMatchObject(missing);
  expect(await stranger.get(at(ids.rolloutId, '/targets'))).toMatchObject(missing);
  expect(await stranger.post(at(ids.rolloutId, '/cancel'), {})).toMatchObject(missing);
  expect(await stranger.post(at(ids.rolloutId, '/revert'), {})).toMatchObject(missing);
  expect(await world.owner.get(at('rol_1'))).toMatchObject(missing);
  expect((await stranger.get('/menus/rollouts')).json.data).toEqual([]);
  const operator = await api.user('operator');
  expect((await operator.get(at(ids.rolloutId))).status).toBe(200);
  const list = await world.owner.get('/menus/rollouts?limit=100');
  expect(undescribed('listRollouts', list)).toEqual([]);
  expect(list.json.data.map((each: { rollout_id: string }) => each.rollout_id)).toContain(
    ids.rolloutId,
  );
});

test('the list has only the rollouts in the state that is asked for', async () => {
  const { state } = (await world.owner.get(at(world.ids.rolloutId))).json.data;
  const listed = async (wanted: string) => {
    const { json } = await world.owner.get(`/menus/rollouts?limit=100&state=${wanted}`);
    return json.data as { rollout_id: string; state: string }[];
  };
  const same = await listed(state);
  expect(same.map((each) => each.rollout_id)).toContain(world.ids.rolloutId);
  expect(new Set(same.map((each) => each.state))).toEqual(new Set([state]));
  const other = state === 'reverted' ? 'stopped' : 'reverted';
  expect((await listed(other)).map((each) => each.rollout_id)).not.toContain(world.ids.rolloutId);
  expect(await world.owner.get('/menus/rollouts?state=over')).toMatchObject({
    status: 422,
    json: { state: ['The selected state is invalid.'] },
  });
});

test('canceling ends at once what has not started', async () => {
  const { storeId, integrationId, owner } = world;
  const { json } = await start([{ store_id: storeId, integration_id: integrationId }]);
  const rolloutId = json.data.rollout_id;
  expect(await owner.post(at(rolloutId, '/revert'), {})).toMatchObject(
    refusal('The rollout is still running.'),
  );
  const canceled = await owner.post(at(rolloutId, '/cancel'), {});
  expect(canceled.status).toBe(200);
  expect(undescribed('cancelRollout', canceled)).toEqual([]);
  expect(canceled.json.data.counts).toMatchObject({ waiting: 0, canceled: 1 });
});

test('canceling the upload of a target cancels the target', async () => {
  const { storeId, integrationId, owner } = world;
  const { json } = await start([{ store_id: storeId, integration_id: integrationId }]);
  const targets = at(json.data.rollout_id, '/targets');
  const [{ upload_id: uploadId }] = (await owner.get(targets)).json.data;
  expect((await owner.post(`/menus/uploads/${uploadId}/cancel`, {})).status).toBe(200);
  expect((await owner.get(targets)).json.data[0].state).toBe('canceled');
});

test('a rollout is reverted once, after it has ended, and cannot be canceled then', async () => {
  const { rolloutId } = await world.spare();
  const { owner } = world;
  expect(await owner.post(at(rolloutId, '/cancel'), {})).toMatchObject(
    refusal('The rollout can no longer be canceled.'),
  );
  const started = await owner.post(at(rolloutId, '/revert'), {});
  expect(started).toMatchObject({
    status: 202,
    json: { message: 'Rollout revert started.', data: { rollout_id: rolloutId } },
  });
  expect(undescribed('revertRollout', started)).toEqual([]);
  expect(await owner.post(at(rolloutId, '/revert'), {})).toMatchObject(
    refusal('The rollout was already reverted.'),
  );
  expect((await owner.get(at(rolloutId))).json.data).toMatchObject({
    state: 'reverting',
    revert: { waiting: 0, reverted: 0, failed: 0, not_live: 0, without_previous: 0 },
  });
});

/** Advances it as its workflow would, because no worker runs here. */
const advance = (rolloutId: string) =>
  advanceRollout(
    {
      sql: world.api.sql,
      settings: world.api.config,
      waker: { wake: async () => 'woken', ended: async () => {} },
    },
    rolloutId as RolloutId,
  );

test.each(['done', 'stopped', 'canceled', 'reverted'])(
  'advancing a rollout that is %s changes nothing',
  async (state) => {
    const { rolloutId } = await world.spare();
    await world.api.sql`
      update rollout set state = ${state}, finished_at = now() - interval '1 h'
      where rollout_id = ${rolloutId}`;
    const before = await world.owner.get(at(rolloutId));
    expect(before.json.data.state).toBe(state);
    expect(await advance(rolloutId)).toMatchObject({ state });
    expect((await world.owner.get(at(rolloutId))).json).toEqual(before.json);
  },
);

/** Starts a rollout to 1,000 new stores; its id. */
async function startMany(version: string): Promise<RolloutId> {
  const { owner, api, integrationId } = world;
  const stores = await api.sql<{ storeId: number }[]>`
    insert into store (name, name_key, country_code)
    select 'Many', gen_random_uuid()::text, 'MX' from generate_series(1, 1000) returning store_id`;
  const storeIds = stores.map(({ storeId }) => storeId);
  await api.sql`
    insert into user_store (user_id, store_id)
    select ${owner.userId}, unnest(${storeIds}::bigint[])`;
  await api.sql`
    insert into store_integration (store_id, integration_id, delivery_id, credential_encrypted)
    select s, ${integrationId}::bigint, 'shop ' || s, '\\x00' from unnest(${storeIds}::bigint[]) as s`;
  const targets = storeIds.map((store_id) => ({ store_id, integration_id: integrationId }));
  const started = await owner.post('/menus/rollouts', { targets, ...versionedMenu(version) });
  expect(started.status).toBe(202);
  return started.json.data.rollout_id;
}

const countsOf = async (rolloutId: string) =>
  (await world.owner.get(at(rolloutId))).json.data.counts;

test('a rollout has up to 1,000 targets, and its menu is stored once', async () => {
  const before = await world.api.sql`select from document`;
  const rolloutId = await startMany('many');
  expect((await world.api.sql`select from document`).length).toBe(before.length + 1);
  expect(await countsOf(rolloutId)).toMatchObject({ waiting: 1_000, refused: 0 });
});

test('a rollout with more active targets than permits starts none, and continues as soon as permits are free', async () => {
  const { sql } = world.api;
  const rolloutId = await startMany('more');
  const look = async () => {
    expect(await advance(rolloutId)).toMatchObject({ state: 'running', isQuiet: false });
    return countsOf(rolloutId);
  };
  const rows = await sql<{ uploadId: string }[]>`
    select upload_id from rollout_target where rollout_id = ${rolloutId} and position < 11`;
  const eleven = rows.map(({ uploadId }) => uploadId);
  // One of them had given its permit back, and is tried again.
  await sql`
    update menu_upload set held = false, state = 'running'
    where upload_id = any(${eleven}::text[])`;
  expect(await look()).toMatchObject({ waiting: 989, running: 11, queued: 0 });
  await sql`update menu_upload set state = 'uploaded' where upload_id = any(${eleven}::text[])`;
  // It found none active, but now ten are.
  expect(await look()).toMatchObject({ waiting: 979, uploaded: 11, queued: 10 });
});
