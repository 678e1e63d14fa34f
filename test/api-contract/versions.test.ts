import { createToken, createUser } from '../../src/admin/users';
import { createCaller, type TestCaller } from '../support/api';
import { undescribed } from '../support/openapi-reader';
import type { Shop } from '../support/shop';
import { startSystem, stopSystems, type SharedSystem } from '../support/system';
import { untilFound } from '../support/until';
import { versionedMenu } from '../support/versioned-menu';

let system: SharedSystem;
let owner: TestCaller;

beforeAll(async () => {
  system = await startSystem();
  owner = createCaller(system.apiUrl(), '', system.token);
});
afterAll(stopSystems);

const of = (uploadId: string, what: string) => `/menus/uploads/${uploadId}/${what}`;
const republish = (uploadId: string, query = '', headers: Record<string, string> = {}) =>
  owner.post(`${of(uploadId, 'republish')}${query}`, {}, headers);
const cancel = (uploadId: string) => owner.post(of(uploadId, 'cancel'), {});
const live = (query: string) => owner.get(`/menus/live?${query}`);
const refusal = (status: number, sentence: string) => ({
  status,
  json: { message: [sentence], data: null },
});

async function liveOf(shop: Shop) {
  const answer = await live(`store_id=${shop.storeId}`);
  expect(answer.status).toBe(200);
  expect(undescribed('listLiveMenus', answer)).toEqual([]);
  return answer.json.data[0];
}

test('the menu comes back as it was sent, with unknown members', async () => {
  const shop = await system.openShop('app-b');
  const [item, ...items] = versionedMenu(1).items;
  const sent = {
    store_id: String(shop.storeId),
    integration_id: shop.integrationId,
    ...versionedMenu(1),
    items: [{ ...item, kitchen: { station: 2 } }, ...items],
    source: 'the back office',
  };
  const answer = await owner.post('/menus/upload', sent);
  expect(answer.status).toBe(200);
  const uploadId = answer.headers.get('x-upload-id') ?? '';
  const menu = await owner.get(of(uploadId, 'menu'));
  expect(menu.status).toBe(200);
  expect(menu.json).toEqual({ message: 'Success.', data: sent });
  expect(undescribed('getUploadMenu', menu)).toEqual([]);
});

test('the payload is what the app was sent', async () => {
  const shop = await system.openShop('app-b');
  const { uploadId } = await shop.upload(7);
  const payload = await owner.get(of(uploadId, 'payload'));
  expect(payload.status).toBe(200);
  expect(undescribed('getUploadPayload', payload)).toEqual([]);
  expect(await shop.payload()).toEqual(payload.json.data);
});

test('there is no payload if a loss blocked it', async () => {
  const shop = await system.openShop('app-b', { country: 'CL' });
  const blocked = await shop.upload(1, { price: '3990' });
  expect(blocked.status).toBe(409);
  expect(await owner.get(of(blocked.uploadId, 'payload'))).toMatchObject(
    refusal(404, 'The upload has no payload.'),
  );
});

test('an older menu is published again, and live says so', async () => {
  const shop = await system.openShop('app-b');
  expect(await liveOf(shop)).toMatchObject({ upload_id: null, live_since: null });
  const first = await shop.upload(1);
  const second = await shop.upload(2);
  const again = await republish(first.uploadId);
  expect(again).toMatchObject({
    status: 200,
    json: { message: 'Menu successfully uploaded.', data: null },
  });
  expect(await shop.shown()).toBe('1');
  const uploadId = again.headers.get('x-upload-id') ?? '';
  const status = await owner.get(`/menus/uploads/${uploadId}`);
  expect(status.json.data).toMatchObject({ republished_from: first.uploadId });
  expect((await owner.get(of(uploadId, 'menu'))).json).toEqual(
    (await owner.get(of(first.uploadId, 'menu'))).json,
  );
  expect(await liveOf(shop)).toMatchObject({
    integration_id: String(shop.integrationId),
    upload_id: uploadId,
    live_since: expect.any(String),
    drift: { state: 'unknown', checked_at: null, changes_count: null },
  });
  const previous = await system.sql`
    select previous_upload_id from menu_upload
    where upload_id in (${first.uploadId}, ${second.uploadId}, ${uploadId}) order by upload_id`;
  expect(previous.map((row) => row['previousUploadId'])).toEqual([
    null,
    first.uploadId,
    second.uploadId,
  ]);
});

test('publishing again can leave out an unchanged push, and need not be waited for', async () => {
  const shop = await system.openShop('app-b');
  const { uploadId } = await shop.upload(1);
  expect((await republish(uploadId, '?skip_unchanged=true')).status).toBe(200);
  expect(await shop.accepted()).toEqual(['1']);
  const async = await republish(uploadId, '', { prefer: 'respond-async' });
  expect(async).toMatchObject({ status: 202, json: { message: 'Menu upload in progress.' } });
  expect(async.json.data.upload_id).toBe(async.headers.get('x-upload-id'));
  expect(await republish(uploadId, '?skip_unchanged=maybe')).toMatchObject({
    status: 422,
    json: { skip_unchanged: ['The selected skip unchanged is invalid.'] },
  });
});

test('publishing again meets the checks of an upload', async () => {
  const shop = await system.openShop('app-b');
  const { uploadId } = await shop.upload(1);
  const { sql } = system;
  await sql`update store_integration set delivery_id = null where store_id = ${shop.storeId}::bigint`;
  expect(await republish(uploadId)).toMatchObject(
    refusal(409, 'This store does not have the store delivery id.'),
  );
  await sql`update integration set client_id = null where integration_id = ${shop.integrationId}::bigint`;
  expect(await republish(uploadId)).toMatchObject(
    refusal(409, 'Microservice does not have this integration configured.'),
  );
  await sql`update store_integration set credential_encrypted = null where store_id = ${shop.storeId}::bigint`;
  expect(await republish(uploadId)).toMatchObject(
    refusal(409, 'This store does not have a token for this delivery.'),
  );
  await sql`update integration set active = false where integration_id = ${shop.integrationId}::bigint`;
  expect(await republish(uploadId)).toMatchObject(refusal(409, 'Integration not available.'));
  await owner.remove(`/store/${shop.storeId}`);
  expect(await republish(uploadId)).toMatchObject({
    status: 422,
    json: { store_id: ['The selected store id is invalid.'] },
  });
});

test('publishing again ends as an upload does: refused, replaced, canceled', async () => {
  const shop = await system.openShop('app-b');
  const { uploadId } = await shop.upload(1);
  await shop.fault({ kind: 'status', status: 400 });
  expect(await republish(uploadId)).toMatchObject({
    status: 409,
    json: {
      message: expect.arrayContaining(['Could not upload menu to delivery system.']),
      data: null,
    },
  });
  await shop.fault({ kind: 'status', status: 503, times: 1_000 });
  const replaced = republish(uploadId);
  const first = await waitingUpload(shop);
  const newer = republish(uploadId);
  expect(await replaced).toMatchObject(refusal(409, 'A newer menu replaced this upload.'));
  const last = await waitingUpload(shop, [first]);
  expect((await cancel(last)).status).toBe(200);
  expect(await newer).toMatchObject(refusal(409, 'The upload was canceled.'));
});

/** The upload of the shop that waits for its next try, once there is one. */
async function waitingUpload(shop: Shop, except: readonly string[] = []): Promise<string> {
  return untilFound(async () => {
    const [row] = await system.sql<{ uploadId: string }[]>`
      select upload_id from menu_upload
      where store_id = ${shop.storeId}::bigint and state = 'running' and next_attempt_at is not null
        and upload_id <> all(${except}::text[])`;
    return row?.uploadId;
  });
}

test('an upload that waits for an app is canceled, and keeps what the app said', async () => {
  const shop = await system.openShop('app-b');
  await shop.fault({ kind: 'status', status: 503, times: 1_000 });
  const waiting = shop.upload(1);
  const uploadId = await waitingUpload(shop);
  const canceled = await cancel(uploadId);
  expect(canceled.status).toBe(200);
  expect(undescribed('cancelUpload', canceled)).toEqual([]);
  expect(canceled.json.data).toMatchObject({ upload_id: uploadId, state: 'canceled' });
  expect(canceled.json.data.messages).toEqual([
    'The upload was canceled.',
    expect.stringMatching(/503/),
  ]);
  expect((await waiting).body).toEqual({ message: ['The upload was canceled.'], data: null });
  const listed = await owner.get(`/menus/uploads?state=canceled&store_id=${shop.storeId}`);
  expect(listed.json.data.map((each: { upload_id: string }) => each.upload_id)).toEqual([uploadId]);
  expect(await cancel(uploadId)).toMatchObject(
    refusal(409, 'The upload can no longer be canceled.'),
  );
});

test('an upload whose push was not answered cannot be canceled: the app may show it', async () => {
  const shop = await system.openShop('app-b');
  await shop.fault({ kind: 'reset_mid', times: 1_000 });
  const { uploadId } = await shop.upload(1, { headers: { prefer: 'respond-async' } });
  await waitingUpload(shop);
  expect(await cancel(uploadId)).toMatchObject(
    refusal(409, 'The upload can no longer be canceled.'),
  );
});

test('an unknown upload, or another user’s, has no versions', async () => {
  const stranger = await createStranger();
  const shop = await system.openShop('app-b');
  const { uploadId } = await shop.upload(1);
  const missing = refusal(404, 'The upload was not found.');
  for (const [caller, id] of [
    [owner, 'upl_0'],
    [owner, `upl_${'0'.repeat(32)}`],
    [stranger, uploadId],
  ] as const) {
    expect(await caller.get(of(id, 'menu'))).toMatchObject(missing);
    expect(await caller.get(of(id, 'payload'))).toMatchObject(missing);
    expect(await caller.post(of(id, 'republish'), {})).toMatchObject(missing);
    expect(await caller.post(of(id, 'cancel'), {})).toMatchObject(missing);
  }
  expect(await stranger.get(`/menus/live?store_id=${shop.storeId}`)).toMatchObject(
    refusal(409, "You don't have this store available."),
  );
});

async function createStranger(): Promise<TestCaller> {
  const { sql } = system;
  const { user_id: userId } = await createUser({ sql }, { name: 'A stranger', permissions: [] });
  const { token } = await createToken({ sql }, { userId, expiresInSeconds: null });
  return createCaller(system.apiUrl(), userId, token);
}

test('live needs an existing store and a valid page', async () => {
  const shop = await system.openShop('app-b');
  expect(await live('store_id=999999')).toMatchObject(refusal(404, 'The store was not found.'));
  const fields = [
    ['', 'store_id', 'The store id field is required.'],
    ['store_id=one', 'store_id', 'The selected store id is invalid.'],
    [`store_id=${shop.storeId}&limit=x`, 'limit', 'The limit must be a number.'],
    [`store_id=${shop.storeId}&limit=0`, 'limit', 'The selected limit is invalid.'],
    [`store_id=${shop.storeId}&cursor=!`, 'cursor', 'The selected cursor is invalid.'],
  ] as const;
  for (const [query, field, sentence] of fields) {
    expect(await live(query)).toMatchObject({ status: 422, json: { [field]: [sentence] } });
  }
});
