import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isPortFree } from '../../dev/free-port';
import { type Demo, DEMO_TOKEN, prepareDemo } from '../support/demo';

/** What a newcomer pastes after `npm start`: the same file, the same answers. Speaks HTTP only. */
const MENU = readFileSync(join(__dirname, '../../dev/demo/menu.json'), 'utf8');
const INTEGRATIONS = { 'app-a': '1', 'app-b': '2', 'app-c': '3', 'app-d': '4' } as const;

let demo: Demo;
beforeAll(async () => {
  demo = await prepareDemo();
  await demo.start();
}, 120_000);
afterAll(() => demo.remove(), 60_000);

interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Record<string, unknown>;
}

async function call(path: string, body?: unknown): Promise<Answer> {
  const response = await fetch(`${demo.apiUrl}/api/v1${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { authorization: `Bearer ${DEMO_TOKEN}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const { status, headers } = response;
  return { status, headers, body: (await response.json()) as Answer['body'] };
}

function upload(app: keyof typeof INTEGRATIONS, name = 'Margherita'): Promise<Answer> {
  const menu = JSON.parse(MENU.replaceAll('Margherita', name));
  return call('/menus/upload', { ...menu, integration_id: INTEGRATIONS[app] });
}

async function sandbox(path: string, fault?: unknown): Promise<unknown> {
  const request = fault === undefined ? {} : { method: 'POST', body: JSON.stringify(fault) };
  return (await fetch(`${demo.sandboxUrl}${path}`, request)).json();
}

async function shown(app: string): Promise<string> {
  const menus = (await sandbox(`/${app}/_sandbox/menus`)) as unknown[];
  return JSON.stringify(menus.at(-1));
}

async function stateOf(location: string): Promise<unknown> {
  const { body } = await call(location.replace('/api/v1', ''));
  return (body['data'] as Record<string, unknown>)['state'];
}

test.each(['app-a', 'app-b', 'app-c'] as const)(
  'the demo menu is uploaded to %s, which shows it',
  async (app) => {
    const { status, body, headers } = await upload(app);
    expect(body).toEqual({ message: 'Menu successfully uploaded.', data: null });
    expect(status).toBe(200);
    expect(await stateOf(headers.get('location') ?? '')).toBe('uploaded');
    expect(await shown(app)).toContain('Margherita');
  },
);

test('App D is refused unless its setting says otherwise, and the answer says so', async () => {
  const { status, body } = await upload('app-d');
  expect(status).toBe(409);
  expect(body).toEqual({
    message: ['Microservice does not have this integration configured.'],
    data: null,
  });
});

test('an app that fails for a moment is no concern of the caller', async () => {
  await sandbox('/app-b/_sandbox/faults', { kind: 'status', status: 503 });
  expect((await upload('app-b', 'Marinara')).status).toBe(200);
  expect(await shown('app-b')).toContain('Marinara');
});

test('uploads are listed newest first, page by page', async () => {
  const first = await call('/menus/uploads?limit=2');
  const next = await call(`/menus/uploads?limit=2&cursor=${String(first.body['next_cursor'])}`);
  const listed = [first, next].flatMap(({ body }) => body['data'] as { integration_id: string }[]);
  expect(listed.map((each) => each.integration_id)).toEqual(['2', '3', '2', '1']);
});

test('everything killed in the middle of an upload and started again: the upload ends, the menu is there', async () => {
  await sandbox('/app-b/_sandbox/faults', { kind: 'slow', ms: 10_000 });
  const lost = upload('app-b', 'Quattro formaggi').catch(() => 'no answer');
  await sleep(1_500);
  await demo.kill();
  expect(await lost).toBe('no answer');

  await demo.start();
  const { body } = await call('/menus/uploads?limit=1');
  const [newest] = body['data'] as { upload_id: string }[];
  const location = `/menus/uploads/${newest?.upload_id}`;
  while ((await stateOf(location)) !== 'uploaded') await sleep(500);
  expect(await shown('app-b')).toContain('Quattro formaggi');
}, 120_000);

test('Ctrl-C stops it in order', async () => {
  expect(await demo.stop()).toBe(0);
}, 30_000);

test('Ctrl-C on npm start while a caller waits: it gets its 202, and nothing is left running', async () => {
  await demo.startByNpm();
  await sandbox('/app-b/_sandbox/faults', { kind: 'slow', ms: 3_000 });
  const waiting = upload('app-b', 'Capricciosa');
  await sleep(1_000);
  const interrupted = demo.interruptGroup();
  const { status, headers } = await waiting;
  expect(status).toBe(202);
  expect(headers.get('location')).toMatch('/api/v1/menus/uploads/');
  await interrupted;
  for (const port of demo.ports) while (!(await isPortFree(port))) await sleep(100);
}, 90_000);
