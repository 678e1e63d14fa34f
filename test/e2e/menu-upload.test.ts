import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ApiError, type Client, createClient, type Schemas } from '../../clients/typescript/src';
import { isPortFree } from '../../dev/processes/free-port';
import { playPage } from '../support/docs-commands';
import { type Demo, DEMO_TOKEN, prepareDemo } from '../support/demo';
import { until } from '../support/until';
import { type DocCommands, pasteCommands, readCommands } from '../support/doc-commands';

/** The commands that a newcomer pastes after `npm start`: the same file, the same answers. Uses HTTP only. */
const MENU = readFileSync(join(__dirname, '../../dev/demo/menu.json'), 'utf8');
const INTEGRATIONS = { 'app-a': '1', 'app-b': '2', 'app-c': '3', 'app-d': '4' } as const;

let demo: Demo;
beforeAll(async () => {
  demo = await prepareDemo();
  await demo.start();
}, 240_000);
afterAll(() => demo.remove(), 60_000);

/** The integrators' client, without repeats. */
const once = (): Client =>
  createClient({ baseUrl: demo.apiUrl, token: DEMO_TOKEN, repeats: 0, timeoutMs: 120_000 });
const client = (): Client => createClient({ baseUrl: demo.apiUrl, token: DEMO_TOKEN });

function upload(app: keyof typeof INTEGRATIONS, name = 'Margherita', by = client()) {
  const menu = JSON.parse(MENU.replaceAll('Margherita', name)) as Schemas['MenuUpload'];
  return by.call('uploadMenu', { body: { ...menu, integration_id: INTEGRATIONS[app] } });
}

async function sandbox(path: string, fault?: unknown): Promise<unknown> {
  const request = fault === undefined ? {} : { method: 'POST', body: JSON.stringify(fault) };
  return (await fetch(`${demo.sandboxUrl}${path}`, request)).json();
}

async function shown(app: string): Promise<string> {
  const menus = (await sandbox(`/${app}/_sandbox/menus`)) as unknown[];
  return JSON.stringify(menus.at(-1));
}

/** `npm start` listens on other ports here, and its token is known. */
const paste = (all: readonly DocCommands[]) =>
  pasteCommands(all, {
    'http://127.0.0.1:3000': demo.apiUrl,
    'http://127.0.0.1:4010': demo.sandboxUrl,
    'Bearer TOKEN': `Bearer ${DEMO_TOKEN}`,
  });

test('the README’s commands can be pasted: preview, upload, change, compare, revert', async () => {
  const [printed] = await paste(await readCommands('README.md', '### Before and after the push'));
  expect(printed).toMatch(
    /^\{"message":"Menu preview\.","data":\{"results":\[.*\]\}\}changed item/,
  );
  expect(printed).toMatch(
    /changed item margherita: price\.value "14900" -> "15900"\n\{"message":"Menu successfully uploaded\.","data":null\}$/,
  );
  expect(await shown('app-b')).toContain('149');
});

test('the commands of docs/before-and-after.md can be pasted, and print what it says', async () => {
  const all = await readCommands('docs/before-and-after.md');
  const printed = await paste(all);
  expect(printed).toEqual(all.map(({ prints }) => prints?.trim() ?? ''));
});

test.each(['app-a', 'app-b', 'app-c'] as const)(
  'the demo menu is uploaded to %s, which shows it',
  async (app) => {
    const answer = await upload(app);
    expect(answer.body).toEqual({ message: 'Menu successfully uploaded.', data: null });
    expect(answer.status).toBe(200);
    expect((await client().waitForUpload(answer)).state).toBe('uploaded');
    expect(await shown(app)).toContain('Margherita');
  },
);

test('App D is refused unless its setting says otherwise, and the answer says so', async () => {
  const refused = upload('app-d');
  await expect(refused).rejects.toThrow(ApiError);
  await expect(refused).rejects.toMatchObject({
    status: 409,
    messages: ['Microservice does not have this integration configured.'],
  });
});

test('the caller does not notice an app that fails for a moment', async () => {
  await sandbox('/app-b/_sandbox/faults', { kind: 'status', status: 503 });
  expect((await upload('app-b', 'Marinara')).status).toBe(200);
  expect(await shown('app-b')).toContain('Marinara');
});

test('uploads are listed newest first, page by page', async () => {
  const listed: string[] = [];
  const all = client().each('listUploads', { query: { limit: 2 } });
  for await (const each of all) listed.push(each.integration_id);
  expect(listed.slice(0, 4)).toEqual(['2', '3', '2', '1']);
});

test.each(['docs/integrator.md', 'README.md'])(
  'the commands of %s work as written',
  async (page) => {
    const said = await playPage(page, {
      'http://127.0.0.1:3000': demo.apiUrl,
      'http://127.0.0.1:4010': demo.sandboxUrl,
      'Bearer TOKEN': `Bearer ${DEMO_TOKEN}`,
      'TOKEN=…': `TOKEN=${DEMO_TOKEN}`,
    });
    expect(said).toContain('"message"');
    // The README ends with faults, which would affect the next test.
    for (const queue of ['app-b/_sandbox/faults', 'receiver/_sandbox/answers']) {
      await fetch(`${demo.sandboxUrl}/${queue}`, { method: 'DELETE' });
    }
  },
  240_000,
);

/** Commands that find the newest thing's id, which a reader copies from an answer. */
const found = (path: string, name: string): string =>
  `$(curl "$API${path}" -H "Authorization: Bearer $TOKEN" | grep -o '"${name}":"[^"]*' | head -n 1 | cut -d '"' -f 4)`;

test('the commands of docs/api.md work as written, one after the other', async () => {
  const said = await playPage('docs/api.md', {
    'http://127.0.0.1:3000': demo.apiUrl,
    'TOKEN=…': `TOKEN=${DEMO_TOKEN}`,
    'UPLOAD_ID=upl_…': `UPLOAD_ID=${found('/menus/uploads?limit=1', 'upload_id')}`,
    'SYSTEM=…': `SYSTEM=${found('/inventory/system?limit=1', 'inventory_system_id')}`,
    // No name is looked up.
    'https://stock.example/hooks': `${demo.sandboxUrl}/receiver`,
    'https://platform.example/events': `${demo.sandboxUrl}/receiver`,
    '"X-Api-Key":"…"': '"X-Api-Key":"secret"',
  });
  const words = ['Menu preview.', 'Menu successfully uploaded.', 'Store successfully created.'];
  expect(words.filter((each) => !said.includes(each))).toEqual([]);
}, 120_000);

test('when everything is killed during an upload and started again, the upload ends and its menu is live', async () => {
  await sandbox('/app-b/_sandbox/faults', { kind: 'slow', ms: 10_000 });
  const lost = upload('app-b', 'Quattro formaggi', once()).catch(() => 'no answer');
  await sleep(1_500);
  await demo.kill();
  expect(await lost).toBe('no answer');

  await demo.start();
  const { body } = await client().call('listUploads', { query: { limit: 1 } });
  const ended = await client().waitForUpload(body.data[0]?.upload_id ?? '');
  expect(ended.state).toBe('uploaded');
  expect(await shown('app-b')).toContain('Quattro formaggi');
});

test('Ctrl-C stops it in order', async () => {
  expect(await demo.stop()).toBe(0);
});

test('npm start -- --reset starts from scratch', async () => {
  await demo.startByNpm('--reset');
  expect((await client().call('listUploads', {})).body.data).toEqual([]);
}, 240_000);

test('Ctrl-C on npm start while a caller waits: it gets its 202, and nothing is left running', async () => {
  await sandbox('/app-b/_sandbox/faults', { kind: 'slow', ms: 3_000 });
  const waiting = upload('app-b', 'Capricciosa', once());
  await sleep(1_000);
  const interrupted = demo.interruptGroup();
  const { status, headers } = await waiting;
  expect(status).toBe(202);
  expect(headers.get('location')).toMatch('/api/v1/menus/uploads/');
  await interrupted;
  for (const port of demo.ports) await until(async () => await isPortFree(port));
});
