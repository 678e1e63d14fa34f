import { createLossBook } from '../../src/delivery-apps/losses';
import { recordPrepared } from '../../src/uploads/sql/upload-attempts';
import { recordUploadEnd } from '../../src/uploads/sql/upload-end';
import type { UploadId } from '../../src/platform/ids';
import { startTestApi, type TestAnswer, type TestApi, type TestCaller } from '../support/api';
import { undescribed } from '../support/openapi-reader';
import { prepareUploadRows } from '../support/upload-rows';

let api: TestApi;
let caller: TestCaller;
let uploadId: UploadId;
let listed: TestAnswer;
let whole: TestAnswer;

/** One upload that lost more than is kept, and failed with more sentences than a list shows. */
beforeAll(async () => {
  api = await startTestApi();
  caller = await api.user('operator');
  const rows = await prepareUploadRows(api.sql);
  const upload = await rows.insertRunning();
  uploadId = upload.uploadId;
  const book = createLossBook();
  for (let index = 0; index < 1_500; index++) {
    book.add('entity_unused', { kind: 'item', index, externalId: `I${index}` });
  }
  book.add('no_hours', { kind: 'menu', index: 0, externalId: 'M1' });
  const document = { sha256: '0'.repeat(64), contentGzip: Buffer.from(''), size: 0 };
  const prepared = {
    document,
    losses: book.list(),
    lossCounts: book.counts(),
    itemIds: '{}',
    offSale: [],
    seasons: [],
    app: 'app-b',
  } as const;
  await recordPrepared(api.sql, upload, prepared);
  const messages = Array.from({ length: 51 }, (_, n) => `Sentence ${n}.`);
  await recordUploadEnd(api.sql, upload, { state: 'failed', messages });
  listed = await caller.get('/menus/uploads');
  whole = await caller.get(`/menus/uploads/${uploadId}`);
});
afterAll(() => api.stop());

test('an entry of the list counts its losses and has neither them nor steps', () => {
  const [entry] = listed.json.data;
  expect(entry.upload_id).toBe(uploadId);
  expect(entry.loss_counts).toEqual({ block: 1, warn: 0, info: 1_500 });
  expect(Object.keys(entry)).not.toEqual(expect.arrayContaining(['losses']));
  expect(Object.keys(entry)).not.toEqual(expect.arrayContaining(['steps']));
  expect(undescribed('listUploads', listed)).toEqual([]);
});

test('an entry of the list has its first five messages', () => {
  const [entry] = listed.json.data;
  expect(entry.messages).toEqual([0, 1, 2, 3, 4].map((n) => `Sentence ${n}.`));
});

test('the upload’s own URL has everything stored: 1,000 losses, how many more, steps, messages', () => {
  const { losses, loss_counts, messages, steps } = whole.json.data;
  expect(losses).toHaveLength(1_001);
  expect(losses[0]).toMatchObject({ code: 'no_hours', severity: 'block' });
  expect(losses.at(-1)).toEqual({
    code: 'losses_omitted',
    severity: 'info',
    pointer: '',
    external_id: null,
    message: '501 more losses were left out.',
  });
  expect(loss_counts).toEqual({ block: 1, warn: 0, info: 1_500 });
  expect(messages).toHaveLength(51);
  expect(steps).toHaveLength(5);
  expect(undescribed('getUpload', whole)).toEqual([]);
});

test('a page of 100 uploads with the most losses and messages stays small', () => {
  expect(Buffer.byteLength(JSON.stringify(listed.json.data[0])) * 100).toBeLessThan(100_000);
});
