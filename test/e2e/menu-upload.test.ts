import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ApiError, type Client, createClient, type Schemas } from '../../clients/typescript/src';
import { isPortFree } from '../../dev/processes/free-port';
import { completeEnvironment } from '../../dev/start/environment';
import { connect } from '../../src/platform/db/client';
import { commandBlocks, playBlocks } from '../support/docs-commands';
import { blocksFor, pagesFor } from '../support/docs-ledger';
import { type Demo, DEMO_TOKEN, prepareDemo } from '../support/demo';
import type { AppRequest } from '../support/shop';
import { until } from '../support/until';

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

/** App B has a menu to which it has not answered yet. */
const untilPushing = () =>
  until(async () => {
    const requests = (await sandbox('/app-b/_sandbox/requests')) as AppRequest[];
    return requests.some((each) => each.route === 'upload' && each.finished_at === null);
  });

/** Commands that find the newest thing's id, which a reader copies from an answer. */
const found = (path: string, name: string): string =>
  `$(curl "$API${path}" -H "Authorization: Bearer $TOKEN" | grep -o '"${name}":"[^"]*' | head -n 1 | cut -d '"' -f 4)`;

/** What the pages say, and what it is here: `npm start` listens on other ports, and its token is known. */
const replaced = () => ({
  'http://127.0.0.1:3000': demo.apiUrl,
  'http://API:3000': demo.apiUrl,
  'http://127.0.0.1:4010': demo.sandboxUrl,
  'Bearer TOKEN': `Bearer ${DEMO_TOKEN}`,
  'TOKEN=…': `TOKEN=${DEMO_TOKEN}`,
  'UPLOAD_ID=upl_…': `UPLOAD_ID=${found('/menus/uploads?limit=1', 'upload_id')}`,
  'SYSTEM=…': `SYSTEM=${found('/inventory/system?limit=1', 'inventory_system_id')}`,
  // No name is looked up.
  'https://stock.example/hooks': `${demo.sandboxUrl}/receiver`,
  'https://platform.example/events': `${demo.sandboxUrl}/receiver`,
  '"X-Api-Key":"…"': '"X-Api-Key":"secret"',
  // It runs already.
  'npm start\nnpm run admin': 'npm run admin',
  // Without its setting App D refuses menus, as another test says.
  'for integration in 1 2 3 4;': 'for integration in 1 2 3;',
  // The reader has made an App E by then.
  '"integration_id": "5"': '"integration_id": "2"',
  'app-e/_sandbox': 'app-b/_sandbox',
});

test('the README’s commands print what they say: preview, upload, change, compare, revert', async () => {
  const blocks = commandBlocks('README.md', '### Before and after the push');
  const [printed] = await playBlocks(blocks, { replaced: replaced() });
  expect(printed).toMatch(
    /^\{"message":"Menu preview\.","data":\{"results":\[.*\]\}\}\nchanged item/,
  );
  expect(printed).toMatch(
    /changed item margherita: price\.value "14900" -> "15900"\n\{"message":"Menu successfully uploaded\.","data":null\}$/,
  );
  expect(await shown('app-b')).toContain('149');
});

/** Said at least once on each page: that a command succeeds says little about what it did. */
const SAYS: Readonly<Record<string, readonly (string | RegExp)[]>> = {
  'README.md': ['Menu preview.', 'Menu successfully uploaded.', 'Stock update acknowledged.'],
  'docs/adding-a-delivery-app.md': [/"app":"app-b"/, 'Menu successfully uploaded.'],
  'docs/api.md': ['Menu preview.', 'Menu successfully uploaded.', 'Store successfully created.'],
  'docs/before-and-after.md': ['changed item margherita'],
  // The status is that of the upload that was accepted.
  'docs/integrator.md': [
    'Menu preview.',
    /"status_url":"\S+(upl_\w+)".*"upload_id":"\1"/s,
    'Stock update',
  ],
  'docs/one-menu-four-apps.md': [/(\{"message":"Menu successfully uploaded\.","data":null\}){3}\[/],
  'docs/runbook.md': ['{"status":"ok","postgres":"ok","stopping":false,"temporal":"ok",'],
};

/** This one shows what a service says in which nothing happened before. */
const FIRST = 'docs/before-and-after.md';

test.each([FIRST, ...pagesFor('start').filter((page) => page !== FIRST)])(
  'the commands of %s work as written, one after the other',
  async (page) => {
    const blocks = blocksFor('start', page);
    const printed = await playBlocks(blocks, { replaced: replaced(), env: demo.env });
    const said = printed.join('\n');
    for (const words of SAYS[page] ?? [/never/]) expect(said).toMatch(words);
    // Where a page shows what is printed, it is that.
    const shownOnPage = blocks.map(({ prints }, at) => prints?.trim() ?? printed[at]);
    expect(printed).toEqual(shownOnPage);
    // Faults that a page has left would affect the next test.
    for (const queue of ['app-b/_sandbox/faults', 'receiver/_sandbox/answers']) {
      await fetch(`${demo.sandboxUrl}/${queue}`, { method: 'DELETE' });
    }
  },
  240_000,
);

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

test('after an answer of App C that was lost, the next menu is live while its caller waits', async () => {
  await sandbox('/app-c/_sandbox/faults', { kind: 'bad_json' });
  expect((await upload('app-c', 'Napoli')).status).toBe(200);
  expect((await upload('app-c', 'Romana')).status).toBe(200);
  expect(await shown('app-c')).toContain('Romana');
}, 60_000);

test('when everything is killed during an upload and started again, the upload ends and its menu is live', async () => {
  await sandbox('/app-b/_sandbox/faults', { kind: 'slow', ms: 10_000 });
  const lost = upload('app-b', 'Quattro formaggi', once()).catch(() => 'no answer');
  await untilPushing();
  await demo.kill();
  expect(await lost).toBe('no answer');

  await demo.start();
  const { body } = await client().call('listUploads', { query: { limit: 1 } });
  const ended = await client().waitForUpload(body.data[0]?.upload_id ?? '');
  expect(ended.state).toBe('uploaded');
  expect(await shown('app-b')).toContain('Quattro formaggi');
});

test('Ctrl-C stops it in order', async () => {
  const { DATABASE_URL = '' } = await completeEnvironment(demo.env);
  const sql = connect(DATABASE_URL, { max: 1 });
  // As a data folder of before release 1.0.0 has it; for the next test.
  await sql`update schema_migration set name = '0001_core.sql' where name = '0001_baseline'`;
  await sql.end();
  expect(await demo.stop()).toBe(0);
});

test('npm start refuses a data folder of before release 1.0.0; with --reset it starts from scratch', async () => {
  await expect(demo.start()).rejects.toThrow(
    /ended with 1:[^]*The database was made before release 1\.0\.0[^]*`npm start -- --reset`/,
  );
  await demo.startByNpm('--reset');
  expect((await client().call('listUploads', {})).body.data).toEqual([]);
}, 240_000);

test('Ctrl-C on npm start while a caller waits: it gets its 202, and nothing is left running', async () => {
  await sandbox('/app-b/_sandbox/faults', { kind: 'slow', ms: 3_000 });
  const waiting = upload('app-b', 'Capricciosa', once());
  await untilPushing();
  const interrupted = demo.interruptGroup();
  const { status, headers } = await waiting;
  expect(status).toBe(202);
  expect(headers.get('location')).toMatch('/api/v1/menus/uploads/');
  await interrupted;
  for (const port of demo.ports) await until(async () => await isPortFree(port));
});
