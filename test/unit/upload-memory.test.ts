import { gunzipSync } from 'node:zlib';
import { Registry } from 'prom-client';
import { createBodyReader } from '../../src/http/body/body-reader';
import { createBounds } from '../../src/platform/admission/bound-metrics';
import { packAndFree } from '../../src/uploads/documents';
import { type CheckedUpload, MENU_UPLOAD_BODY } from '../../src/uploads/menu-upload-body';
import { sizedMenu } from '../support/sized-menu';

/** Reads in the event loop, as it does what is small. */
const reader = createBodyReader({
  settings: { MENU_EQUAL_QUANTITIES: 'refuse', MENU_ZERO_PRICES: 'refuse' },
  bounds: createBounds(new Registry()),
  large: new Map(),
  threads: { prompt: '', patient: '' },
});
afterAll(() => reader.close());

test('the memory of a menu is free once it is read, and once it is packed', async () => {
  const menu = sizedMenu(200, 1);
  const bytes = Buffer.from(JSON.stringify({ store_id: 1, integration_id: '2', ...menu }));
  const reading = await reader.read(MENU_UPLOAD_BODY, bytes, 'A');
  expect(bytes).toHaveLength(0);
  const upload: CheckedUpload = MENU_UPLOAD_BODY.check(reading);
  if (!upload.menu.ok) throw new Error('the menu breaks a rule');
  const { text } = upload.menu;
  const { contentGzip, size } = await packAndFree(text);
  expect(text).toHaveLength(0);
  const packed = gunzipSync(contentGzip);
  expect(packed).toHaveLength(size);
  expect(JSON.parse(packed.toString())).toEqual(menu);
});

test('a body that is refused is free as well', async () => {
  const bytes = Buffer.from(`{"menus":${'['.repeat(20_000)}`);
  await expect(reader.read(MENU_UPLOAD_BODY, bytes, 'A')).rejects.toThrow('nested too deeply');
  expect(bytes).toHaveLength(0);
});
