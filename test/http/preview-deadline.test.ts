import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Registry } from 'prom-client';
import { EXAMPLE_MENU } from '../../src/menus/rules/example-menu';
import { createMenuPreviewer, type MenuPreviewer } from '../../src/preview/menu-previewer';
import { previewMenu } from '../../src/preview/preview-menu';
import { newId } from '../../src/platform/ids';
import { createBounds } from '../../src/platform/admission/bound-metrics';
import { createDocumentStore } from '../../src/uploads/documents';
import { startTestApi, type TestApi } from '../support/api';
import { connectApps } from '../support/connect-apps';
import { until } from '../support/until';

const registry = new Registry();
const userId = newId('usr');
let api: TestApi;
let previewer: MenuPreviewer;
let storeId: number;

beforeAll(async () => {
  api = await startTestApi();
  storeId = await api.store();
  await connectApps(api, storeId, ['app-a', 'app-b']);
  previewer = createMenuPreviewer({
    deadlineMs: 1_500,
    bounds: createBounds(registry),
    file: join(__dirname, '../support/child-endless-preview-thread'),
  });
});
afterAll(async () => {
  await previewer.close();
  await api.stop();
});

function preview(
  name: string,
  signal = AbortSignal.timeout(60_000),
): AsyncGenerator<readonly Uint8Array[]> {
  const [menu] = EXAMPLE_MENU.menus;
  return previewMenu(
    {
      sql: api.sql,
      textsForThreads: createDocumentStore(api.sql),
      previewer,
      images: { inspect: () => Promise.resolve(new Map()) },
      settings: api.config,
    },
    {
      id: name,
      userId,
      storeId,
      today: '2026-11-28',
      integrationIds: undefined,
      menu: Buffer.from(JSON.stringify({ ...EXAMPLE_MENU, menus: [{ ...menu, name }] })),
      menuCount: 1,
      sentBeside: '{}',
      include: ['shown'],
      checkImages: false,
      signal,
    },
  );
}

async function messagesOf(name: string): Promise<string[][]> {
  const messages: string[][] = [];
  for await (const result of preview(name)) {
    messages.push(JSON.parse(Buffer.concat(result).toString()).messages);
  }
  return messages;
}

test('a menu that takes too long is reported for each integration, and does not delay later ones', async () => {
  const late = ['The menu could not be prepared in time.'];
  expect(await messagesOf('ENDLESS')).toEqual([late, late]);
  expect(await messagesOf('Main')).toEqual([[], []]);
});

test('a menu is made for all its apps before the next one begins, unless it takes long', async () => {
  const order: string[] = [];
  const make = async (name: string, made = preview(name)) => {
    for await (const result of made) order.push(result.length > 0 ? name : 'nothing');
  };
  await Promise.all(['one', 'two', 'three'].map((name) => make(name)));
  const [first, , second, , third] = order;
  expect(order).toEqual([first, first, second, second, third, third]);
  const long = preview('ENDLESS');
  await long.next();
  const short = make('short');
  await until(async () => (await registry.metrics()).includes('bound="waiting_previews"} 1'));
  await Promise.all([short, make('ENDLESS', long)]);
  expect(order.indexOf('short')).toBeLessThan(order.indexOf('ENDLESS'));
});

test('a menu whose caller leaves, or whose reading fails, lets the next one begin', async () => {
  const leaving = new AbortController();
  const left = preview('left', leaving.signal);
  await left.next();
  leaving.abort();
  await expect(left.next()).rejects.toThrow('aborted');
  const given = preview('given up');
  await given.next();
  await given.return(undefined);
  expect(await messagesOf('Main')).toEqual([[], []]);
});

test('stored texts are read once there is a thread for them, not while they wait for it', async () => {
  const small = createMenuPreviewer({
    deadlineMs: 1_500,
    bounds: createBounds(new Registry()),
    processors: 1,
  });
  try {
    const begun = await small.begin(userId);
    let reads = 0;
    const written = small.write(userId, async () => {
      reads += 1;
      const after = Buffer.from(JSON.stringify(EXAMPLE_MENU));
      return { kind: 'changes', before: null, after, form: 'json', offset: 0, limit: 1 };
    });
    await delay(100);
    expect(reads).toBe(0);
    begun.end();
    expect((await written)?.hasMore).toBe(true);
    expect(reads).toBe(1);
  } finally {
    await small.close();
  }
});

test('on two processors a thread rests between two menus while others wait, so that stock events find it free', async () => {
  const small = createMenuPreviewer({
    deadlineMs: 1_500,
    bounds: createBounds(new Registry()),
    processors: 2,
  });
  try {
    const first = await small.begin(userId);
    const second = small.begin(userId);
    await delay(100);
    const endedAt = performance.now();
    first.end();
    (await second).end();
    expect(performance.now() - endedAt).toBeGreaterThan(90);
  } finally {
    await small.close();
  }
});
