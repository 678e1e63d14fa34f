import { createCaller, type TestCaller } from '../support/api';
import { undescribed } from '../support/openapi-reader';
import { startSystem, stopSystems, type SharedSystem } from '../support/system';

let system: SharedSystem;
let owner: TestCaller;

beforeAll(async () => {
  system = await startSystem();
  owner = createCaller(system.apiUrl(), '', system.token);
});
afterAll(stopSystems);

const of = (uploadId: string, what: string) => `/menus/uploads/${uploadId}/${what}`;

async function changes(uploadId: string, query = '') {
  const answer = await owner.get(`${of(uploadId, 'changes')}${query}`);
  expect(answer.status).toBe(200);
  expect(undescribed('getUploadChanges', answer)).toEqual([]);
  return answer.json;
}

const renamed = (from: number, to: number) => ({
  op: 'changed',
  kind: 'item',
  external_id: 'I1',
  field: 'name',
  before: `Margherita, version ${from}.`,
  after: `Margherita, version ${to}.`,
});

test('an upload is compared with what was live before it, what is live, or any other', async () => {
  const shop = await system.openShop('app-b');
  const first = await shop.upload(1);
  const second = await shop.upload(2);
  const third = await shop.upload(3);

  const { data, next_cursor } = await changes(second.uploadId);
  expect(data).toEqual({
    against: first.uploadId,
    counts: { added: 0, removed: 0, changed: 1 },
    changes: [renamed(1, 2)],
  });
  expect(next_cursor).toBeNull();
  expect((await changes(second.uploadId, '?against=previous')).data).toEqual(data);
  expect((await changes(second.uploadId, '?against=live')).data).toMatchObject({
    against: third.uploadId,
    changes: [renamed(3, 2)],
  });
  expect((await changes(third.uploadId, `?against=${first.uploadId}`)).data).toMatchObject({
    against: first.uploadId,
    changes: [renamed(1, 3)],
  });
  expect((await changes(third.uploadId, '?against=live')).data).toMatchObject({
    against: third.uploadId,
    changes: [],
  });
});

test('the first upload added everything, and one that never went live is compared with the live one', async () => {
  const shop = await system.openShop('app-b', { country: 'CL' });
  const first = await shop.upload(1);
  const { data } = await changes(first.uploadId);
  expect(data).toMatchObject({ against: null, counts: { added: 4, removed: 0, changed: 0 } });
  const blocked = await shop.upload(1, { price: '3990' });
  expect(blocked.status).toBe(409);
  expect((await changes(blocked.uploadId)).data).toMatchObject({
    against: first.uploadId,
    counts: { added: 0, removed: 0, changed: 1 },
  });
});

test('all pages belong to one comparison, whatever goes live meanwhile', async () => {
  const shop = await system.openShop('app-b');
  const { uploadId } = await shop.upload(1);
  const page = await changes(uploadId, '?against=live&limit=3');
  expect(page.data.changes).toEqual([]);
  const all = (await changes(uploadId)).data.changes;
  const begin = await changes(uploadId, '?limit=3');
  expect(begin.data.changes).toEqual(all.slice(0, 3));
  await shop.upload(2);
  const rest = await changes(uploadId, `?limit=3&cursor=${begin.next_cursor}`);
  expect(rest).toMatchObject({ data: { against: null, changes: all.slice(3) }, next_cursor: null });
});

test('as plain text each change is a line, and the next page is linked', async () => {
  const shop = await system.openShop('app-b');
  const first = await shop.upload(1);
  const second = await shop.upload(2);
  const text = { accept: 'text/plain' };
  const lines = await owner.get(of(second.uploadId, 'changes'), text);
  expect(lines.headers.get('content-type')).toBe('text/plain; charset=utf-8');
  expect(lines.headers.get('link')).toBeNull();
  expect(lines.text).toBe(
    'changed item I1: name "Margherita, version 1." -> "Margherita, version 2."\n',
  );
  const added = await owner.get(`${of(first.uploadId, 'changes')}?limit=3`, text);
  expect(added.text).toBe(
    'added menu M1: "Main menu"\nadded category C1: "Pizza"\nadded item I1: "Margherita, version 1."\n',
  );
  const [, path = ''] = /^<\/api\/v1(.+)>; rel="next"$/.exec(added.headers.get('link') ?? '') ?? [];
  expect((await owner.get(path, text)).text).toBe('added item I2: "Water"\n');
});

test('an unknown upload, or another user’s, cannot be compared', async () => {
  const shop = await system.openShop('app-b');
  const { uploadId } = await shop.upload(1);
  const unknown = `upl_${'0'.repeat(32)}`;
  for (const path of [of(unknown, 'changes'), `${of(uploadId, 'changes')}?against=${unknown}`]) {
    expect(await owner.get(path)).toMatchObject({
      status: 404,
      json: { message: ['The upload was not found.'], data: null },
    });
  }
});

test('what the app shows is read back from the payload', async () => {
  const shop = await system.openShop('app-a');
  const { uploadId } = await shop.upload(1);
  const answer = await owner.get(of(uploadId, 'shown'));
  expect(undescribed('getUploadShown', answer)).toEqual([]);
  expect(answer).toMatchObject({
    status: 200,
    json: {
      message: 'Success.',
      data: {
        menus: [{ identifier: 'M1', name: 'Main menu' }],
        items: [
          { external_id: 'I1', name: 'Margherita, version 1.', price: '14900' },
          { external_id: 'I2', name: 'Water', price: '2500' },
        ],
      },
    },
  });
  expect((await owner.get(of(`upl_${'0'.repeat(32)}`, 'shown'))).status).toBe(404);
});

test('nothing is shown of an upload that was never sent', async () => {
  const shop = await system.openShop('app-b', { country: 'CL' });
  const blocked = await shop.upload(1, { price: '3990' });
  expect(await owner.get(of(blocked.uploadId, 'shown'))).toMatchObject({
    status: 404,
    json: { message: ['The upload has no payload.'], data: null },
  });
});
