import { startWorld, type World } from '../api-contract/world';
import { claimNewestUpload } from '../../src/uploads/sql/publications';
import { recordSteps } from '../../src/uploads/sql/upload-attempts';
import { recordUploadEnd } from '../../src/uploads/sql/upload-end';
import { changeUserState } from '../../src/admin/users';
import type { DeliveryId, UploadId } from '../../src/platform/ids';
import type { TestCaller } from '../support/api';
import { eventsOf, wantEvents, type WrittenEvent } from '../support/events';
import { wrongMessage } from '../support/openapi-reader';
import { endDelivery } from '../support/inventory';

let world: World;
let owner: TestCaller;

beforeAll(async () => {
  world = await startWorld({ TEMPORAL_UI_URL: 'http://ui.example/' });
  owner = world.owner;
});
afterAll(() => world.stop());
beforeEach(async () => {
  await world.api.sql`delete from delivery where type = 3`;
  await world.api.sql`delete from ended_delivery where type = 3`;
});

const sql = () => world.api.sql;
/** The events written for the user, which must match their description. */
async function written(user: TestCaller = owner): Promise<WrittenEvent[]> {
  const events = await eventsOf(sql(), user);
  expect(events.map((event) => wrongMessage(event.type, event)).filter(Boolean)).toEqual([]);
  return events;
}
const types = async (user: TestCaller = owner) => (await written(user)).map(({ type }) => type);

async function upload(): Promise<UploadId> {
  const sent = await owner.post('/menus/upload', world.menu, { prefer: 'respond-async' });
  return sent.json.data.upload_id;
}

async function finishNewest(state: 'uploaded' | 'failed', messages: string[]): Promise<void> {
  const key = { storeId: world.storeId, integrationId: world.integrationId };
  const claim = await claimNewestUpload(sql(), key, 'run-1');
  if (claim.kind !== 'publish') throw new Error(claim.kind);
  await recordUploadEnd(sql(), claim, { state, messages });
}

describe('upload.ended', () => {
  beforeAll(async () => {
    await wantEvents(owner);
    await finishNewest('uploaded', []); // the world's own
  });

  test('contains the upload as it is then, once for each, superseded ones in the order of their acceptance', async () => {
    await sql()`update trace_base set url = 'http://ui.example/namespaces/default/workflows/'`;
    const uploads = [await upload(), await upload(), await upload(), await upload()];
    await finishNewest('failed', ['The app said “no”.']);
    // The world has others in its queues.
    const events = (await written()).filter(({ data }) => uploads.includes(data.upload_id));
    expect(events.map(({ data }) => [data.upload_id, data.state])).toEqual([
      ...uploads.slice(0, 3).map((id) => [id, 'superseded']),
      [uploads[3], 'failed'],
    ]);
    const last = uploads[3] ?? '';
    const { json } = await owner.get(`/menus/uploads/${last}`);
    // An event tells of an end.
    const { losses, waiting_for: waits, ...shown } = json.data;
    expect(waits).toBeNull();
    expect(events[3]).toEqual({
      type: 'upload.ended',
      timestamp: shown.finished_at,
      data: shown,
    });
    expect(losses).toEqual([]);
    expect(shown.steps).toMatchObject([{ name: 'token' }, {}, {}, { name: 'push' }, {}]);
    expect(shown.trace_url).toContain('/run-1/');
  });

  test('contains the steps as the ending statement leaves them', async () => {
    const uploadId = await upload();
    const key = { storeId: world.storeId, integrationId: world.integrationId };
    const claim = await claimNewestUpload(sql(), key, 'run-1');
    if (claim.kind !== 'publish') throw new Error(claim.kind);
    const answer = { status: 400, error: null, body: 'No.' };
    const push = { name: 'push', state: 'failed', startedAt: new Date(), answer } as const;
    await recordUploadEnd(sql(), claim, { state: 'failed', messages: ['No.'] }, [push]);
    const { json } = await owner.get(`/menus/uploads/${uploadId}`);
    const [event] = await written();
    expect(event?.data['steps']).toEqual(json.data.steps);
    expect(json.data.steps[3]).toMatchObject({ state: 'failed', attempts: 1 });
  });

  test('of an upload that was superseded in a step has that step skipped, as its status has', async () => {
    const uploadId = await upload();
    const key = { storeId: world.storeId, integrationId: world.integrationId };
    const claim = await claimNewestUpload(sql(), key, 'run-1');
    if (claim.kind !== 'publish') throw new Error(claim.kind);
    await recordSteps(sql(), claim, [{ name: 'token', state: 'running', startedAt: new Date() }]);
    await upload();
    await claimNewestUpload(sql(), key, 'run-2');
    const { json } = await owner.get(`/menus/uploads/${uploadId}`);
    const [event] = await written();
    expect(event?.data['steps']).toEqual(json.data.steps);
    expect(json.data).toMatchObject({
      state: 'superseded',
      steps: [{ state: 'skipped' }, {}, {}, {}, {}],
    });
    await finishNewest('uploaded', []);
  });

  test('a rolled back transaction writes no event', async () => {
    const uploadId = await upload();
    const undone = sql().begin(async (tx) => {
      await tx`
        update menu_upload set state = 'failed', finished_at = now() where upload_id = ${uploadId}`;
      throw new Error('undone');
    });
    await expect(undone).rejects.toThrow('undone');
    expect(await written()).toEqual([]);
    await finishNewest('uploaded', []);
    expect(await types()).toEqual(['upload.ended']);
  });

  test('uploads canceled by a deletion write events', async () => {
    const { storeId } = await world.spareConnected();
    await owner.post(
      '/menus/upload',
      { ...world.menu, store_id: storeId },
      { prefer: 'respond-async' },
    );
    expect((await owner.remove(`/store/${storeId}`)).status).toBe(200);
    expect(await written()).toMatchObject([
      { type: 'upload.ended', data: { state: 'canceled', store_id: storeId } },
    ]);
  });
});

describe('who is told', () => {
  test('users who have the store at that moment and subscribe to it; not operators, and no ended accounts', async () => {
    const [second, lost, picky, stranger, operator, gone] = [
      await world.api.user(),
      await world.api.user(),
      await world.api.user(),
      await world.api.user(),
      await world.api.user('operator'),
      await world.api.user(),
    ];
    const having = [second, lost, picky, gone];
    for (const { userId } of having) {
      await sql()`insert into user_store values (${userId}, ${world.storeId}::bigint)`;
    }
    await sql()`delete from user_store where user_id = ${lost.userId}`;
    await wantEvents(picky, { events: ['delivery.failed'] });
    for (const user of [second, lost, stranger, operator, gone]) await wantEvents(user);
    await changeUserState({ sql: sql() }, gone.userId, 'deactivated');
    await upload();
    await finishNewest('uploaded', []);
    expect(await types(second)).toEqual(['upload.ended']);
    for (const user of [lost, picky, stranger, operator, gone])
      expect(await types(user)).toEqual([]);
    // Written ones are still sent after the store was lost.
    await sql()`delete from user_store where user_id = ${second.userId}`;
    const { json } = await second.get('/webhooks/deliveries?events=true');
    expect(json.data).toMatchObject([
      {
        type: 'upload.ended',
        state: 'pending',
        store_id: world.storeId,
        inventory_system_id: null,
      },
    ]);
    await changeUserState({ sql: sql() }, second.userId, 'deleted');
    expect(
      await sql()`
      select o.store_id from discard_order o join subscription s using (subscription_id)
      where s.user_id = ${second.userId}`,
    ).toEqual([{ storeId: null }]);
  });

  test('a webhook registered later gets no older events, and a disabled one keeps new ones', async () => {
    const late = await world.api.user();
    await sql()`insert into user_store values (${late.userId}, ${world.storeId}::bigint)`;
    await upload();
    await finishNewest('uploaded', []);
    await wantEvents(late);
    expect(await types(late)).toEqual([]);
    await late.post('/events/webhook/disable', {});
    await upload();
    await finishNewest('uploaded', []);
    expect(await types(late)).toEqual(['upload.ended']);
  });
});

test('an unknown event is refused', async () => {
  await upload();
  await finishNewest('uploaded', []);
  const [event] = await sql()<
    { deliveryId: DeliveryId }[]
  >`select delivery_id from delivery where type = 3`;
  await endDelivery(sql(), event?.deliveryId ?? '', { state: 'exhausted' });
  expect(await types()).toEqual(['upload.ended']);
});
