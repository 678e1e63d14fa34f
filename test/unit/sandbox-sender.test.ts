import { createReceiver } from '../../dev/sandbox/receiver';
import { type Sandbox, startSandbox } from '../../dev/sandbox/sandbox';
import { createSender } from '../../dev/sandbox/sender';
import { generateSecret } from '../../src/platform/crypto/signing';

const secret = generateSecret();
let sandbox: Sandbox;

beforeAll(async () => {
  sandbox = await startSandbox({ port: 0, parts: [createReceiver(), createSender({ secret })] });
  await post('/receiver/_sandbox/secret', { secret });
});
afterAll(() => sandbox.close());

interface Told {
  readonly status: number;
  readonly json: any; // oxlint-disable-line typescript/no-explicit-any -- answers are asserted on, field by field
}

async function post(path: string, body: unknown): Promise<Told> {
  const response = await fetch(sandbox.url + path, { method: 'POST', body: JSON.stringify(body) });
  return { status: response.status, json: await response.json() };
}

const send = (order: object) =>
  post('/sender/_sandbox/send', { url: `${sandbox.url}/receiver/hooks`, ...order });

test.each([
  [{}, { kind: 'acknowledged', status: 204 }],
  [{ type: 1 }, { kind: 'delivered', status: 204 }],
  [{ type: 'events' }, { kind: 'delivered', status: 204 }],
])('%j is sent signed, and the answer is judged as by the service', async (order, verdict) => {
  const { status, json } = await send({ ...order, message_id: 'msg_1' });
  expect(status).toBe(200);
  expect(json.verdict).toMatchObject(verdict);
  expect(json.sent.headers['webhook-id']).toBe('msg_1');
  const requests = await (await fetch(`${sandbox.url}/receiver/_sandbox/requests`)).json();
  expect(requests.at(-1)).toMatchObject({ signature_valid: true, body: json.sent.body });
});

test('a refusal, a failure and silence are distinguished', async () => {
  await post('/receiver/_sandbox/answers', { status: 409, body: { message: 'No such item.' } });
  expect((await send({})).json.verdict).toMatchObject({
    kind: 'refused',
    message: 'No such item.',
  });
  await post('/receiver/_sandbox/answers', { status: 503 });
  expect((await send({})).json.verdict).toMatchObject({ kind: 'retry', status: 503 });
  const { json } = await send({ url: 'http://127.0.0.1:1/' });
  expect(json).toMatchObject({ answer: { cause: 'network' }, verdict: { kind: 'retry' } });
});

test('a given secret is used, which the receiver does not know', async () => {
  await send({ secret: generateSecret() });
  const requests = await (await fetch(`${sandbox.url}/receiver/_sandbox/requests`)).json();
  expect(requests.at(-1)).toMatchObject({ signature_valid: false });
});

test.each([
  [{ url: 'http://10.0.0.1/' }, 'on 127.0.0.1'],
  [{ url: 'http://127.0.0.1.example/' }, 'on 127.0.0.1'],
  [{ url: 'https://127.0.0.1/' }, 'http on'],
  [{ url: 7 }, 'on 127.0.0.1'],
  [{ type: 3 }, 'The type'],
  [{ secret: 'whsec_' }, 'The secret'],
  [{ message_id: 'a.b' }, 'The message_id'],
])('%j is refused, and nothing sent', async (order, sentence) => {
  const { status, json } = await send(order);
  expect([status, json.error]).toEqual([400, expect.stringContaining(sentence)]);
});
