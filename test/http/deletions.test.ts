import { claimNewestUpload } from '../../src/uploads/sql/publications';
import { postponeUpload } from '../../src/uploads/sql/upload-attempts';
import type { UploadId } from '../../src/platform/ids';
import { startWorld, type World, type WorldIds } from '../api-contract/world';
import type { TestCaller } from '../support/api';
import { createSystem, endDelivery, ITEMS_EVENT, manageWebhook } from '../support/inventory';
import { undescribed } from '../support/openapi-reader';

const LATER = { delayMs: 60_000, reason: null, afterMs: null } as const;

let world: World;
let owner: TestCaller;
let ids: WorldIds;

beforeAll(async () => {
  world = await startWorld({ UPLOAD_WAIT: '10s' });
  owner = world.owner;
});
afterAll(() => world.stop());
beforeEach(async () => {
  ids = await world.spareConnected();
  await manageWebhook(owner, ids.systemId, 1);
});

const GONE = (what: string) => ({
  status: 404,
  json: { message: [`The ${what} was not found.`], data: null },
});
const SUCCESS = { message: 'Success.', data: null };

const system = () => `/inventory/system/${ids.systemId}`;
const menu = () => ({ ...world.menu, store_id: ids.storeId });

async function upload(): Promise<UploadId> {
  const { json } = await owner.post('/menus/upload', menu(), { prefer: 'respond-async' });
  return json.data.upload_id;
}

async function deliver(): Promise<string> {
  const { json } = await owner.post(`/pos/store/${ids.storeId}/inventory/items`, ITEMS_EVENT);
  return json.data.deliveries[0].delivery_id;
}

const uploadState = async (id: string) => (await owner.get(`/menus/uploads/${id}`)).json.data.state;
const deliveryState = async (id: string) =>
  (await owner.get(`/webhooks/deliveries/${id}`)).json.data.state;

describe('a store that is deleted', () => {
  test('is gone for every path and body, and its name is free', async () => {
    const { storeId } = ids;
    const { name } = (await owner.get(`/store/${storeId}`)).json.data;
    const answer = await owner.remove(`/store/${storeId}`);
    expect([answer.status, answer.json]).toEqual([200, SUCCESS]);
    expect(undescribed('deleteStore', answer)).toEqual([]);
    const missing = GONE('store');
    expect(await owner.remove(`/store/${storeId}`)).toMatchObject(missing);
    expect(await owner.get(`/store/${storeId}`)).toMatchObject(missing);
    expect(await owner.get(`/store/${storeId}/integrations`)).toMatchObject(missing);
    expect(await owner.patch(`/store/${storeId}`, {})).toMatchObject(missing);
    const offSale = await owner.get(`/menus/availability?store_id=${storeId}`);
    expect(offSale).toMatchObject(missing);
    expect(undescribed('listUnavailable', offSale)).toEqual([]);
    const events = `/pos/store/${storeId}/inventory/items`;
    expect(await owner.post(events, ITEMS_EVENT)).toMatchObject(missing);
    const invalid = { status: 422, json: { store_id: ['The selected store id is invalid.'] } };
    expect(await owner.post('/menus/upload', menu())).toMatchObject(invalid);
    const link = { inventory_system_id: ids.systemId, external_store_id: 'x' };
    expect(
      await owner.post('/inventory/system/store/link', { ...link, store_id: storeId }),
    ).toMatchObject(invalid);
    const listed = (await owner.get('/store?limit=100')).json.data;
    expect(listed.map(({ id }: { id: number }) => id)).not.toContain(storeId);
    expect((await owner.get(`${system()}/store/link`)).json.data).toEqual([]);
    expect((await owner.post('/store', { name, country_code: 'MX' })).status).toBe(201);
  });

  test('has no list of items off sale, which for others is empty as before', async () => {
    await owner.remove(`/store/${ids.storeId}`);
    const list = `/menus/availability?store_id=${ids.storeId}`;
    const operator = await world.api.user('operator');
    expect(await operator.get(list)).toMatchObject(GONE('store'));
    const other = await world.api.user();
    expect(await other.get(list)).toMatchObject({ status: 200, json: { data: [] } });
  });

  test('ends what waits for it, which can be read as long as before', async () => {
    const [waiting, sent, queued] = [await deliver(), await deliver(), await upload()];
    await endDelivery(world.api.sql, sent, { state: 'delivered', status: 200 });
    await owner.remove(`/store/${ids.storeId}`);
    expect([await deliveryState(waiting), await deliveryState(sent)]).toEqual([
      'discarded',
      'delivered',
    ]);
    const { json } = await owner.get(`/menus/uploads/${queued}`);
    expect(json.data).toMatchObject({
      state: 'canceled',
      messages: ['The upload was canceled.'],
      finished_at: expect.any(String),
    });
    const listed = await owner.get(`/menus/uploads?store_id=${ids.storeId}&state=canceled`);
    expect(listed.json.data.map((each: { upload_id: string }) => each.upload_id)).toEqual([queued]);
    expect(undescribed('listUploads', listed)).toEqual([]);
    expect(await owner.post(`/webhooks/deliveries/${sent}/resend`, {})).toMatchObject(
      GONE('store'),
    );
    const filter = { inventory_system_id: ids.systemId, dry_run: true };
    const { json: counted } = await owner.post('/webhooks/deliveries/resend', filter);
    expect(counted.data.count).toBe(0);
  });

  test('releases callers that wait for its upload, with the reason', async () => {
    const begun = Date.now();
    const waiting = owner.post('/menus/upload', menu());
    await new Promise((resolve) => setTimeout(resolve, 500));
    await owner.remove(`/store/${ids.storeId}`);
    expect(await waiting).toMatchObject({
      status: 409,
      json: { message: ['The upload was canceled.'], data: null },
    });
    expect(Date.now() - begun).toBeLessThan(8_000);
  });

  test('lets work in progress finish, but never retries it', async () => {
    const { sql } = world.api;
    const key = { storeId: ids.storeId, integrationId: world.integrationId };
    const uploadId = await upload();
    expect(await claimNewestUpload(sql, key, 'run')).toMatchObject({ kind: 'publish' });
    await owner.remove(`/store/${ids.storeId}`);
    expect(await uploadState(uploadId)).toBe('running');
    const later = { ...LATER, reason: 'The app is closed.' };
    expect(await postponeUpload(sql, { uploadId, attemptNo: 1 }, later)).toBe(true);
    expect(await claimNewestUpload(sql, key, 'run')).toEqual({ kind: 'idle' });
    expect((await owner.get(`/menus/uploads/${uploadId}`)).json.data).toMatchObject({
      state: 'canceled',
      messages: ['The upload was canceled.', 'The app is closed.'],
    });
  });

  test('can be deleted by its creator and by operators, not by others who have it', async () => {
    const other = await world.api.user();
    const path = `/store/${ids.storeId}`;
    expect(await other.remove(path)).toMatchObject({
      status: 409,
      json: { message: ["You don't have this store available."] },
    });
    await world.api.sql`
      insert into user_store (user_id, store_id) values (${other.userId}, ${ids.storeId}::bigint)`;
    expect(await other.remove(path)).toMatchObject({
      status: 403,
      json: { message: ['You do not have the permissions to access this resource.'] },
    });
    expect((await owner.get(path)).status).toBe(200);
    const operator = await world.api.user('operator');
    // Including one that the administration created without an owner.
    for (const id of [ids.storeId, await world.api.store(owner)]) {
      expect((await operator.remove(`/store/${id}`)).status).toBe(200);
    }
  });
});

describe('an inventory system that is deleted', () => {
  test('is gone with its webhooks and links, and its name is free', async () => {
    const path = system();
    const { name } = (await owner.get(path)).json.data.inventory_system_details;
    const [waiting, sent] = [await deliver(), await deliver()];
    await endDelivery(world.api.sql, sent, { state: 'delivered', status: 200 });
    const answer = await owner.remove(path);
    expect([answer.status, answer.json]).toEqual([200, SUCCESS]);
    expect(undescribed('deleteInventorySystem', answer)).toEqual([]);
    const missing = GONE('inventory system');
    expect(await owner.remove(path)).toMatchObject(missing);
    expect(await owner.get(path)).toMatchObject(missing);
    expect(await owner.get(`${path}/webhook`)).toMatchObject(missing);
    expect(await owner.get(`${path}/store/link/${ids.storeId}`)).toMatchObject(missing);
    expect(await owner.remove(`${path}/webhook/1`)).toMatchObject(missing);
    expect([await deliveryState(waiting), await deliveryState(sent)]).toEqual([
      'discarded',
      'delivered',
    ]);
    expect(await owner.post(`/webhooks/deliveries/${sent}/resend`, {})).toMatchObject(
      GONE('webhook'),
    );
    const event = await owner.post(`/pos/store/${ids.storeId}/inventory/items`, ITEMS_EVENT);
    expect(event.json.message).toBe('No inventory system is linked to this store.');
    await expect(manageWebhook(owner, ids.systemId, 1)).rejects.toThrow('is invalid');
    await createSystem(await world.api.user('inventory:create'), name);
  });

  test('can be deleted only by its creator and by operators', async () => {
    const stranger = await world.api.user('inventory:create');
    expect(await stranger.remove(system())).toMatchObject(GONE('inventory system'));
    expect((await (await world.api.user('operator')).remove(system())).status).toBe(200);
  });
});
