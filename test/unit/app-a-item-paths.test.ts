import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createAppAClient } from '../../src/delivery-apps/app-a/client';
import { parseCidrs } from '../../src/platform/outbound/addresses';
import { createOutboundClient } from '../../src/platform/outbound/http-client';
import { category, item, STORE, transform } from './app-a-menus';

const MENUS = `/v2/eats/stores/${STORE.appStoreId}/menus`;

const paths: (string | undefined)[] = [];
const server = createServer((request, response) => {
  paths.push(request.url);
  response.writeHead(204).end();
});
const http = createOutboundClient({ allowCidrs: parseCidrs('127.0.0.1/32'), userAgent: 'test' });

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
beforeEach(() => {
  paths.length = 0;
});
afterAll(async () => {
  await http.close();
  server.close();
});

function switchOff(wireId: string) {
  const { port } = server.address() as AddressInfo;
  const baseUrl = `http://127.0.0.1:${port}`;
  return createAppAClient({ http, baseUrl, timeoutMs: 2_000 }).switchItems({
    token: 'token',
    appStoreId: STORE.appStoreId,
    store: {},
    items: [{ wireId, available: false, until: null }],
  });
}

test.each([
  'a/b;c',
  '../../menus',
  '...',
  '.a',
  '%2e%2e',
  '?a=b#c',
  '\\..\\',
  'crème brûlée 🍮',
  ' ',
  '\t\n',
])('the item %j is switched under its own id', async (id) => {
  await expect(switchOff(id)).resolves.toEqual({ kind: 'switched' });
  const [path = '', ...others] = paths;
  expect(others).toEqual([]);
  expect(path.slice(0, path.lastIndexOf('/'))).toBe(`${MENUS}/items`);
  expect(decodeURIComponent(path.slice(path.lastIndexOf('/') + 1))).toBe(id);
});

// Such a segment is taken out of the path, however it is encoded.
test.each(['.', '..'])('the item %s, which no path can name, is refused here', async (id) => {
  await expect(switchOff(id)).resolves.toEqual({
    kind: 'rejected',
    reasons: ['The delivery system cannot be asked about an item with this id.'],
  });
  expect(paths).toEqual([]);
  const { losses } = transform({
    categories: [category('C1', [{ item_external_id: id }])],
    items: [item(id, '1000')],
  });
  expect(losses).toMatchObject([{ code: 'id_unsafe', severity: 'warn', external_id: id }]);
});
