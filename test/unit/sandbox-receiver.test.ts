import { createPos } from '../../dev/sandbox/pos';
import { createReceiver } from '../../dev/sandbox/receiver';
import { createReceivedRequests } from '../../dev/sandbox/receiver/received-requests';
import { startSandbox, type Sandbox } from '../../dev/sandbox/sandbox';
import { stockPayload, testEventPayload } from '../../src/webhooks/payload';
import { wholeSecond } from '../../src/platform/whole-second';
import { generateSecret, signWebhook } from '../../src/platform/crypto/signing';
import {
  buildWebhookRequest,
  type WebhookRequest,
} from '../../src/webhooks/attempt/webhook-request';
import { until } from '../support/until';

const secret = generateSecret();
let now = Date.UTC(2026, 10, 21, 12);
let sandbox: Sandbox;

beforeAll(async () => {
  const parts = [createReceiver(), createPos({ secret })];
  sandbox = await startSandbox({ port: 0, parts, clock: () => now });
});
afterAll(() => sandbox.close());
afterEach(async () => {
  const pages = ['requests', 'answers', 'secret'];
  await Promise.all(pages.map((page) => call('DELETE', `/receiver/_sandbox/${page}`)));
});

async function call(method: string, path: string, body?: unknown): Promise<Response> {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return fetch(sandbox.url + path, { method, ...(body !== undefined && { body: text }) });
}

function webhook(secrets: readonly [string, ...string[]] = [secret]): WebhookRequest {
  const payload = stockPayload({
    inventorySystemId: 'system',
    externalStoreId: 'S-1',
    externalId: 'item-7',
    currentStock: '10.50',
    quantity: '2',
    date: '2026-11-21',
    movementType: 1,
  });
  return buildWebhookRequest({ type: 2, payload, secrets, messageId: 'msg_1', sequence: 1, now });
}

async function send(path: string, { headers, body }: WebhookRequest): Promise<Response> {
  return fetch(sandbox.url + path, { method: 'POST', headers, body });
}

async function received(part = 'receiver'): Promise<readonly Record<string, unknown>[]> {
  const response = await call('GET', `/${part}/_sandbox/requests`);
  return (await response.json()) as readonly Record<string, unknown>[];
}

const tell = (body: unknown): Promise<Response> => call('POST', '/receiver/_sandbox/answers', body);
const learn = (each: unknown): Promise<Response> =>
  call('POST', '/receiver/_sandbox/secret', { secret: each });

test('a webhook on any path is answered 204 and shown with its raw body and headers', async () => {
  await learn(secret);
  const request = webhook();
  const response = await send('/receiver/one?x=1', request);
  expect(response.status).toBe(204);
  expect(await response.text()).toBe('');
  expect(await received()).toEqual([
    {
      at: '2026-11-21T12:00:00.000Z',
      method: 'POST',
      url: '/receiver/one?x=1',
      headers: expect.objectContaining({ 'webhook-id': 'msg_1', 'webhook-sequence': '1' }),
      body: request.body,
      signature_valid: true,
    },
  ]);
});

test('an event has the headers of Standard Webhooks, and the other signature would be one too many', async () => {
  await learn(secret);
  const attempt = { type: 3, secrets: [secret], messageId: 'msg_1', sequence: 1, now } as const;
  const event = buildWebhookRequest({ ...attempt, payload: testEventPayload(new Date(now)) });
  await send('/receiver', event);
  await send('/receiver', {
    ...event,
    headers: { ...event.headers, 'x-signature-request': 'v1=00' },
  });
  await send('/receiver', { ...event, body: event.body.replace('{}', '{"a":1}') });
  const valid = (await received()).map((each) => each['signature_valid']);
  expect(valid).toEqual([true, false, false]);
});

test('a signature is valid with any known secret and no other', async () => {
  const [other, newest] = [generateSecret(), generateSecret()];
  await learn(other);
  await send('/receiver', webhook([secret]));
  await send('/receiver', webhook([newest, other]));
  await learn(secret);
  await send('/receiver', webhook([secret]));
  const valid = (await received()).map((each) => each['signature_valid']);
  expect(valid).toEqual([false, true, true]);
});

test('both families must be right, about the same second, and not older than five minutes', async () => {
  await learn(secret);
  const good = webhook();
  const flawed = [
    { ...good, headers: { ...good.headers, 'x-signature-request': 'v1=00' } },
    { ...good, headers: { ...good.headers, 'webhook-signature': 'v1,AAAA' } },
    { ...good, body: good.body.replace('10.50', '10.51') },
    // Right signatures of a body whose `now` is another second.
    {
      body: good.body,
      headers: {
        ...signWebhook({
          secrets: [secret],
          messageId: 'msg_1',
          body: good.body,
          now: wholeSecond(now + 1_000),
        }),
      },
    },
  ];
  for (const request of flawed) await send('/receiver', request);
  now += 301_000;
  await send('/receiver', good);
  now -= 301_000;
  await send('/receiver', good);
  const valid = (await received()).map((each) => each['signature_valid']);
  expect(valid).toEqual([false, false, false, false, false, true]);
});

test('queued answers are given in order, as often as set, then the default again', async () => {
  await tell({ status: 503, times: 2, headers: { 'retry-after': '7' } });
  await tell({ status: 422, body: { message: 'no' } });
  await tell({ status: 400, body: '<html>' });
  const answers = [];
  for (let each = 0; each < 5; each += 1) answers.push(await send('/receiver', webhook()));
  expect(answers.map(({ status }) => status)).toEqual([503, 503, 422, 400, 204]);
  expect(answers[0]?.headers.get('retry-after')).toBe('7');
  expect(await answers[2]?.json()).toEqual({ message: 'no' });
  expect(await answers[3]?.text()).toBe('<html>');
});

test('an answer for one path leaves the others alone', async () => {
  await tell({ status: 500, path: '/receiver/bad', times: 9 });
  const [good, bad] = await Promise.all(
    ['/receiver/good', '/receiver/bad'].map((path) => send(path, webhook())),
  );
  expect([good?.status, bad?.status]).toEqual([204, 500]);
});

test('a delayed answer does not hold the next one back', async () => {
  await tell({ status: 200, delay_ms: 300 });
  const order: number[] = [];
  const note = async (answer: Promise<Response>): Promise<void> => {
    order.push((await answer).status);
  };
  const slow = note(send('/receiver', webhook()));
  // The first request has to be the one that takes the delayed answer.
  await until(async () => (await received()).length !== 0);
  await Promise.all([slow, note(send('/receiver', webhook()))]);
  expect(order).toEqual([204, 200]);
});

test('a delayed answer does not keep the sandbox from closing', async () => {
  const short = await startSandbox({ port: 0, parts: [createReceiver()] });
  await fetch(`${short.url}/receiver/_sandbox/answers`, {
    method: 'POST',
    body: JSON.stringify({ status: 200, delay_ms: 3_600_000 }),
  });
  const hanging = fetch(`${short.url}/receiver`, { method: 'POST', body: '{}' });
  const list = `${short.url}/receiver/_sandbox/requests`;
  await until(async () => (await (await fetch(list)).text()) !== '[]');
  const ended = hanging.then(
    () => true,
    () => true,
  );
  await short.close();
  // Aborted or answered with the defect: over, an hour early.
  expect(await ended).toBe(true);
});

test.each([
  ['no object', '[]', 'The answer must be an object.'],
  ['no JSON', '{', 'The answer must be an object.'],
  ['no status', { body: 'x' }, 'The status must be a whole number from 200 to 599.'],
  ['a status that HTTP does not send last', { status: 100 }, 'The status must be'],
  ['a misspelt key', { status: 200, delay: 5 }, 'The answer knows no delay.'],
  ['no times', { status: 200, times: 0 }, 'The times must be a whole number from 1.'],
  ['headers that are no strings', { status: 200, headers: { a: 1 } }, 'The headers must be'],
])('an answer with %s is refused', async (_, body, sentence) => {
  const response = await tell(body);
  expect(response.status).toBe(400);
  expect(await response.text()).toContain(sentence);
});

test('an unusable secret is refused', async () => {
  expect((await learn('whsec_short')).status).toBe(400);
  expect((await learn(7)).status).toBe(400);
});

test('unknown pages and methods say so', async () => {
  expect((await call('GET', '/receiver/_sandbox/nothing')).status).toBe(404);
  const response = await call('PUT', '/receiver/_sandbox/answers');
  expect(response.status).toBe(405);
  expect(response.headers.get('allow')).toBe('GET, DELETE, POST');
});

test('only the newest requests are remembered when they grow past 64 MB', () => {
  const requests = createReceivedRequests();
  const body = 'x'.repeat(8 * 1_048_576);
  for (let each = 1; each <= 9; each += 1) {
    const at = new Date(each).toISOString();
    const request = { at, method: 'POST', url: '/', headers: {}, body, signature_valid: true };
    requests.add(request);
  }
  const kept = requests.list().map(({ at }) => Date.parse(at));
  expect(kept.at(-1)).toBe(9);
  expect(kept.length).toBeGreaterThanOrEqual(3);
  expect(kept.length).toBeLessThan(8);
  requests.clear();
  expect(requests.list()).toEqual([]);
});

test('the POS answers ok and checks requests that carry no now in their body', async () => {
  const body = '{"quantity":"2"}';
  const at = wholeSecond(now);
  const signed = signWebhook({ secrets: [secret], messageId: 'msg_2', body, now: at });
  const response = await send('/pos/stock', { headers: { ...signed }, body });
  expect(response.status).toBe(200);
  expect(await response.json()).toEqual({ message: 'ok' });
  const answers = await call('POST', '/pos/_sandbox/answers', { status: 409, body: { a: 1 } });
  expect(answers.status).toBe(201);
  const refused = await send('/pos/stock', { headers: {}, body });
  expect(refused.status).toBe(409);
  const valid = (await received('pos')).map((each) => each['signature_valid']);
  expect(valid).toEqual([true, false]);
});
