import { sendAs, startWorld, type World } from './world';

let world: World;
beforeAll(async () => {
  world = await startWorld();
  // As if a menu were live: only a worker makes one so.
  await world.api.sql`
    with live as (
      update menu_upload set item_ids = '{"I1": ["I1"], "I2": ["I2"]}'
      where upload_id = ${world.ids.uploadId} returning *
    )
    update publication p set live_upload_id = l.upload_id from live l
    where p.store_id = l.store_id and p.integration_id = l.integration_id`;
});
afterAll(() => world.stop());

const AVAILABILITY = '/menus/availability';
const off = (externalId: string) => ({ external_id: externalId, available: false });

function change(items: readonly unknown[], more: object = {}, headers = {}) {
  return world.owner.post(AVAILABILITY, { store_id: world.storeId, items, ...more }, headers);
}

test('a caller who did not wait, or waited too long, learns the status URL', async () => {
  for (const headers of [{}, { prefer: 'respond-async' }]) {
    const answer = await change([off('I1')], {}, headers);
    expect(answer).toMatchObject({
      status: 202,
      json: {
        message: 'Availability update in progress.',
        data: { changes: [{ integration_id: String(world.integrationId), state: 'queued' }] },
      },
    });
    const [made] = answer.json.data.changes;
    const shown = await world.owner.get(`${AVAILABILITY}/changes/${made.change_id}`);
    expect(shown.json.data).toMatchObject({
      kind: 'items',
      store_id: world.storeId,
      state: 'queued',
      items: [{ external_id: 'I1', state: 'queued', message: null }],
      finished_at: null,
    });
  }
});

test('of two changes of an item the newer one counts, and the older one is superseded', async () => {
  const older = (await change([off('I1'), off('I2')])).json.data.changes[0].change_id;
  const newer = await change([{ external_id: 'I1', available: true }]);
  const show = async (id: string) => (await world.owner.get(`${AVAILABILITY}/changes/${id}`)).json;
  expect((await show(older)).data).toMatchObject({
    state: 'queued',
    items: [
      { external_id: 'I1', state: 'superseded' },
      { external_id: 'I2', state: 'queued' },
    ],
  });
  await change([{ external_id: 'I2', available: true }]);
  expect((await show(older)).data).toMatchObject({ state: 'superseded', messages: [] });
  expect((await show(newer.json.data.changes[0].change_id)).data.state).toBe('queued');
  expect((await world.owner.get(AVAILABILITY)).json.data).toEqual([]);
});

test('what is off sale is listed, newest first, for those who have the store', async () => {
  const until = new Date(Date.now() + 3_600_000).toISOString();
  await change([off('I1')]);
  await change([{ ...off('I2'), until }]);
  const listed = await world.owner.get(`${AVAILABILITY}?store_id=${world.storeId}&limit=1`);
  expect(listed.json.data).toMatchObject([
    {
      external_id: 'I2',
      integration_id: String(world.integrationId),
      until,
      source: 'api',
      state: 'queued',
    },
  ]);
  const cursor = listed.json.next_cursor;
  const next = await world.owner.get(`${AVAILABILITY}?limit=1&cursor=${cursor}`);
  expect(next.json.data).toMatchObject([{ external_id: 'I1', until: null }]);
  const stranger = await world.api.user();
  expect((await stranger.get(`${AVAILABILITY}?store_id=${world.storeId}`)).json.data).toEqual([]);
});

test('one integration that cannot be called fails alone', async () => {
  const inactive = await world.addIntegration('app-a', { active: false });
  const answer = await change([off('I1')], {
    integration_ids: [String(world.integrationId), inactive, 'nothing', String(inactive)],
  });
  expect(answer.status).toBe(202);
  expect(answer.json.data.changes).toMatchObject([
    { integration_id: 'nothing', state: 'failed', messages: ['Integration not available.'] },
    { integration_id: String(world.integrationId), state: 'queued', messages: [] },
    { integration_id: String(inactive), state: 'failed', messages: ['Integration not available.'] },
  ]);
});

test('a named integration without a menu fails, and by default it is left out', async () => {
  const bare = await world.addIntegration('app-b');
  await world.api.sql`
    insert into store_integration (store_id, integration_id, delivery_id, credential_encrypted)
    values (${world.storeId}::bigint, ${bare}::bigint, 'bare', 'any'::bytea)`;
  expect(await change([off('I1')], { integration_ids: [bare] })).toMatchObject({
    status: 409,
    json: {
      message: [
        'Could not update availability in delivery system.',
        'No menu is live in this delivery.',
      ],
      data: { changes: [{ state: 'failed', messages: ['No menu is live in this delivery.'] }] },
    },
  });
  expect((await change([off('I1')])).json.data.changes).toHaveLength(1);
});

test('a problem+json client gets the changes, too', async () => {
  const answer = await change([off('I9')], {}, { accept: 'application/problem+json' });
  expect(answer).toMatchObject({
    status: 409,
    json: {
      code: 'availability_failed',
      errors: [{}, { detail: 'The item external id does not exist: I9' }],
      data: { changes: [{ state: 'failed' }] },
    },
  });
});

test('500 items are taken, and an id that is sent twice counts once, the last one', async () => {
  const items = Array.from({ length: 499 }, (_, n) => off(`none-${n}`));
  const answer = await change([
    off('I1'),
    ...items.slice(1),
    { external_id: 'I1', available: true },
  ]);
  expect(answer.status).toBe(202);
  const [made] = answer.json.data.changes;
  const { data } = (await world.owner.get(`${AVAILABILITY}/changes/${made.change_id}`)).json;
  expect(data.items).toHaveLength(499);
  expect(data.items.at(-1)).toMatchObject({ external_id: 'I1', state: 'queued' });
});

test('special days are wanted of the store, and the apps are told', async () => {
  const request = world.request('PUT /api/v1/store/{store_id}/special-days');
  const path = `/store/${world.storeId}/special-days`;
  const none = await world.owner.get(`/store/${world.ids.readable.storeId}/special-days`);
  expect(none.json).toEqual({ message: 'Success.', data: { days: [], integrations: [] } });
  const answer = await sendAs(world.api, world.owner, request);
  expect(answer).toMatchObject({
    status: 202,
    json: {
      message: 'Special days in progress.',
      data: { changes: [{ integration_id: String(world.integrationId), state: 'queued' }] },
    },
  });
  expect((await world.owner.get(path)).json).toMatchObject({
    message: 'Success.',
    data: {
      days: request.body?.['days'],
      integrations: [{ integration_id: String(world.integrationId), state: 'queued' }],
    },
  });
});

test('without an app there are special days too', async () => {
  const { storeId } = await world.spare();
  const [date] = new Date(Date.now() + 864e5).toISOString().split('T');
  const days = [{ date, closed: true }];
  const request = { endpoint: '', method: 'PUT', path: `/api/v1/store/${storeId}/special-days` };
  const send = (body: Record<string, unknown>) =>
    sendAs(world.api, world.owner, { ...request, body });
  expect(await send({ days })).toMatchObject({
    status: 200,
    json: { message: 'Special days successfully set.', data: { changes: [] } },
  });
  const path = `/store/${storeId}/special-days`;
  expect((await world.owner.get(path)).json.data).toEqual({ days, integrations: [] });
  expect((await send({ days, integration_ids: ['none'] })).json.message).toEqual([
    'Could not update the store in delivery system.',
    'Integration not available.',
  ]);
  const lost = await world.owner.patch(`/store/${storeId}`, { time_zone: null });
  expect(lost).toMatchObject({
    status: 409,
    json: { message: ['The store must have a time zone.'], data: null },
  });
  expect((await send({ days: [] })).status).toBe(200);
  expect((await world.owner.patch(`/store/${storeId}`, { time_zone: null })).status).toBe(200);
  expect(await send({ days })).toMatchObject({
    status: 409,
    json: { message: ['The store must have a time zone.'], data: null },
  });
});

test('another user’s store, or an unknown one, has no special days', async () => {
  const stranger = await world.api.user();
  const { body } = world.request('PUT /api/v1/store/{store_id}/special-days');
  for (const [storeId, status, sentence] of [
    [world.storeId, 409, "You don't have this store available."],
    [999_999, 404, 'The store was not found.'],
  ] as const) {
    const path = `/api/v1/store/${storeId}/special-days`;
    const refusal = { status, json: { message: [sentence], data: null } };
    const put = { endpoint: '', method: 'PUT', path, ...(body && { body }) };
    expect(await sendAs(world.api, stranger, put)).toMatchObject(refusal);
    const get = { endpoint: '', method: 'GET', path };
    expect(await sendAs(world.api, stranger, get)).toMatchObject(refusal);
  }
});

test.each(['pause', 'resume'])(
  'another user’s store, or an unknown one, has no %s',
  async (verb) => {
    const stranger = await world.api.user();
    expect(await stranger.post(`/store/${world.storeId}/${verb}`, {})).toMatchObject({
      status: 409,
      json: { message: ["You don't have this store available."], data: null },
    });
    expect(await stranger.post(`/store/999999/${verb}`, {})).toMatchObject({
      status: 404,
      json: { message: ['The store was not found.'], data: null },
    });
    expect(
      await world.owner.post(`/store/${world.storeId}/${verb}`, { integration_ids: ['nothing'] }),
    ).toMatchObject({
      status: 409,
      json: {
        message: ['Could not update the store in delivery system.', 'Integration not available.'],
      },
    });
  },
);

test('a pause is shown with the integrations of the store, and the end of it, too', async () => {
  const path = `/store/${world.storeId}`;
  const body = { integration_ids: [world.integrationId], reason: 'Full.' };
  expect((await world.owner.post(`${path}/pause`, body)).json).toMatchObject({
    message: 'Store pause in progress.',
    data: { changes: [{ state: 'queued' }] },
  });
  const paused = async () => {
    const { data } = (await world.owner.get(`${path}/integrations`)).json;
    return data.find(
      (each: { integration_id: string }) => each.integration_id === String(world.integrationId),
    ).paused;
  };
  expect(await paused()).toMatchObject({ reason: 'Full.', until: null, state: 'queued' });
  expect((await world.owner.post(`${path}/resume`, body)).json).toMatchObject({
    message: 'Store resume in progress.',
  });
  expect(await paused()).toBeNull();
});

test('another user’s change is as unknown as a missing one, and so is a store', async () => {
  const made = (await change([off('I1')])).json.data.changes[0].change_id;
  const stranger = await world.api.user();
  for (const id of [made, 'nothing', 'avc_00000000000000000000000000000000']) {
    const caller = id === made ? stranger : world.owner;
    expect(await caller.get(`${AVAILABILITY}/changes/${id}`)).toMatchObject({
      status: 404,
      json: { message: ['The change was not found.'], data: null },
    });
  }
  expect(
    await stranger.post(AVAILABILITY, { store_id: world.storeId, items: [off('I1')] }),
  ).toMatchObject({ status: 409 });
});
