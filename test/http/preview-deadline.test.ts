import { join } from 'node:path';
import { Registry } from 'prom-client';
import { EXAMPLE_MENU } from '../../src/menus/rules/example-menu';
import { createMenuPreviewer, type MenuPreviewer } from '../../src/preview/menu-previewer';
import { previewMenu } from '../../src/preview/preview-menu';
import { createBounds } from '../../src/platform/config/bounds';
import { createDocumentStore } from '../../src/uploads/documents';
import { startTestApi, type TestApi } from '../support/api';
import { connectApps } from '../support/connect-apps';

let api: TestApi;
let previewer: MenuPreviewer;
let storeId: number;

beforeAll(async () => {
  api = await startTestApi();
  storeId = await api.store();
  await connectApps(api, storeId, ['app-a', 'app-b']);
  previewer = createMenuPreviewer({
    deadlineMs: 1_500,
    bounds: createBounds(new Registry()),
    file: join(__dirname, '../support/child-endless-preview-thread'),
  });
});
afterAll(async () => {
  await previewer.close();
  await api.stop();
});

async function messagesOf(name: string): Promise<string[][]> {
  const [menu] = EXAMPLE_MENU.menus;
  const results = previewMenu(
    {
      sql: api.sql,
      documents: createDocumentStore(api.sql),
      previewer,
      images: { inspect: () => Promise.resolve(new Map()) },
      settings: api.config,
    },
    {
      id: name,
      storeId,
      integrationIds: undefined,
      menu: Buffer.from(JSON.stringify({ ...EXAMPLE_MENU, menus: [{ ...menu, name }] })),
      menuCount: 1,
      include: ['shown'],
      checkImages: false,
      signal: AbortSignal.timeout(60_000),
    },
  );
  const messages: string[][] = [];
  for await (const result of results) {
    messages.push(JSON.parse(Buffer.concat(result).toString()).messages);
  }
  return messages;
}

test('a menu that takes too long is reported for each integration, and does not delay later ones', async () => {
  const late = ['The menu could not be prepared in time.'];
  expect(await messagesOf('ENDLESS')).toEqual([late, late]);
  expect(await messagesOf('Main')).toEqual([[], []]);
});
