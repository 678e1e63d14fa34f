import { jsonAnswer, type AppSimulatorFactory } from '../../dev/sandbox/app-simulator';
import { startSandbox, type Sandbox } from '../../dev/sandbox/sandbox';
import { simulateApp } from '../../dev/sandbox/simulated-app';

const app: AppSimulatorFactory = () => ({
  name: 'app',
  description: 'takes everything',
  ownFaults: ['errno'],
  knows: () => true,
  reader: { keepsOff: false, offIn: () => [], itemIds: () => new Set() },
  routeOf: (method) => (method === 'PUT' ? 'upload' : 'read'),
  storeOf: ({ path }) => path.slice(1),
  answer: ({ body, fault }) => ({
    ...jsonAnswer(200, { taken: true, errno: fault?.errno ?? 0 }),
    accepted: { storeId: 's1', payload: body },
  }),
  expireToken: () => jsonAnswer(401, { error: 'expired' }),
});

const NOW = Date.parse('2026-05-04T10:00:00.400Z');

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox({ port: 0, parts: [simulateApp(app)], clock: () => NOW });
});
afterAll(() => sandbox.close());

const page = (name: string, method = 'GET', body?: unknown) =>
  fetch(`${sandbox.url}/app/_sandbox/${name}`, {
    method,
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });

async function countMenus(): Promise<number> {
  return ((await (await page('menus')).json()) as unknown[]).length;
}

/** What a PUT sees, including `cut off`, and whether it took effect. */
async function put(body = '{"n":1}', signal = AbortSignal.timeout(5_000)) {
  const before = await countMenus();
  const seen = await fetch(`${sandbox.url}/app/s1`, {
    method: 'PUT',
    body,
    redirect: 'manual',
    signal,
  })
    .then(async (answer) => ({
      status: answer.status,
      retryAfter: answer.headers.get('retry-after'),
      location: answer.headers.get('location'),
      text: await answer.text(),
    }))
    .catch(() => 'cut off' as const);
  return { seen, applied: (await countMenus()) > before };
}

beforeEach(async () => {
  for (const name of ['faults', 'menus', 'requests']) await page(name, 'DELETE');
});

test.each([
  [
    { kind: 'status', status: 503 },
    expect.objectContaining({ status: 503, text: '{"error":"scripted"}' }),
    false,
  ],
  [{ kind: 'rate_limit', s: 5 }, expect.objectContaining({ status: 429, retryAfter: '5' }), false],
  [
    { kind: 'rate_limit', s: 5, mode: 'date' },
    expect.objectContaining({ status: 429, retryAfter: 'Mon, 04 May 2026 10:00:06 GMT' }),
    false,
  ],
  [{ kind: 'slow', ms: 20 }, expect.objectContaining({ status: 200 }), true],
  [{ kind: 'late', ms: 20 }, expect.objectContaining({ status: 200 }), true],
  [{ kind: 'reset_before' }, 'cut off', false],
  [{ kind: 'reset_mid' }, 'cut off', true],
  [
    { kind: 'token_expired' },
    expect.objectContaining({ status: 401, text: '{"error":"expired"}' }),
    false,
  ],
  [
    { kind: 'bad_json' },
    expect.objectContaining({ status: 200, text: expect.stringContaining('<html>') }),
    true,
  ],
  [
    { kind: 'bad_json', mode: 'cut' },
    expect.objectContaining({ status: 200, text: '{"taken":tru' }),
    true,
  ],
  [
    { kind: 'ok_but_old' },
    expect.objectContaining({ status: 200, text: expect.stringContaining('taken') }),
    false,
  ],
  [
    { kind: 'redirect' },
    expect.objectContaining({ status: 302, location: '/app/_sandbox/elsewhere' }),
    false,
  ],
  [
    { kind: 'errno', errno: 7 },
    expect.objectContaining({ status: 200, text: '{"taken":true,"errno":7}' }),
    true,
  ],
])('%j does what it says once, and then no more', async (fault, seen, applied) => {
  expect((await page('faults', 'POST', fault)).status).toBe(201);
  expect(await put()).toEqual({ seen, applied });
  expect(await put()).toMatchObject({ seen: { status: 200, retryAfter: null }, applied: true });
});

test('a late answer comes after the menu took effect', async () => {
  await page('faults', 'POST', { kind: 'late', ms: 60_000 });
  expect(await put('{}', AbortSignal.timeout(200))).toEqual({ seen: 'cut off', applied: true });
});

test('an endless body continues until the client hangs up', async () => {
  await page('faults', 'POST', { kind: 'endless_body' });
  const answer = await fetch(`${sandbox.url}/app/s1`, { method: 'PUT', body: '{}' });
  const reader = answer.body?.getReader();
  let size = 0;
  while (size < 5_000_000) size += (await reader?.read())?.value?.length ?? Number.NaN;
  await reader?.cancel();
  expect(size).toBeGreaterThan(5_000_000);
});

test('a fault occurs as often as it says, in the order of the queue and only on its route', async () => {
  await page('faults', 'POST', { kind: 'status', status: 500, times: 2 });
  await page('faults', 'POST', { kind: 'status', status: 502 });
  await page('faults', 'POST', { kind: 'status', status: 504, route: 'read' });
  const statuses = [];
  for (let attempt = 0; attempt < 4; attempt += 1) {
    const { seen } = await put();
    statuses.push(seen === 'cut off' ? seen : seen.status);
  }
  expect(statuses).toEqual([500, 500, 502, 200]);
  expect((await fetch(`${sandbox.url}/app/s1`)).status).toBe(504);
});

test('a fault without end stays until the queue is emptied', async () => {
  await page('faults', 'POST', { kind: 'token_expired', mode: 'always' });
  for (let attempt = 0; attempt < 3; attempt += 1) {
    expect((await put()).seen).toMatchObject({ status: 401 });
  }
  expect(await (await page('faults')).json()).toMatchObject([{ times: 'always' }]);
  await page('faults', 'DELETE');
  expect(await (await page('faults')).json()).toEqual([]);
  expect((await put()).seen).toMatchObject({ status: 200 });
});

test('a client that follows a redirect is detected', async () => {
  await page('faults', 'POST', { kind: 'redirect' });
  await fetch(`${sandbox.url}/app/s1`, { method: 'PUT', body: '{}' });
  const requests = (await (await page('requests')).json()) as readonly { route: string }[];
  expect(requests.map(({ route }) => route)).toEqual(['upload', 'elsewhere']);
});

test.each([
  [[], 'A fault must be a JSON object.'],
  [{}, 'The kind is required.'],
  [{ kind: 'task_stuck' }, expect.stringContaining('The kind must be one of status,')],
  [{ kind: 'status', times: 0 }, 'The times must be a whole number from 1 to 100000.'],
  [{ kind: 'status', status: '500' }, 'The status must be a whole number from 200 to 599.'],
  [{ kind: 'slow', ms: 1.5 }, 'The ms must be a whole number from 0 to 600000.'],
  [
    { kind: 'status', route: 'menu' },
    'The route must be one of token, upload, poll, read, availability, change, pause, special_days.',
  ],
  [{ kind: 'status', mode: 'sometimes' }, expect.stringContaining('The mode must be one of once,')],
  [{ kind: 'errno', ids: [1] }, 'The ids must be an array of strings.'],
  [{ kind: 'status', delay: 1 }, 'A fault has no field delay.'],
])('%j is refused with a sentence', async (fault, message) => {
  const answer = await page('faults', 'POST', fault);
  expect(answer.status).toBe(400);
  expect(await answer.json()).toEqual({ message });
});
