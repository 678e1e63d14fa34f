import { gzipSync } from 'node:zlib';
import { type ConsumerBench, createConsumerBench } from '../support/consumer-bench';
import { status, type AnswerWebhook } from '../support/webhook-receiver';

/* What receivers, and the gateways before them, were seen to answer. */

let bench: ConsumerBench;
beforeAll(async () => {
  bench = await createConsumerBench();
});
afterAll(() => bench.close());

let paths = 0;

interface Given {
  readonly type?: 1 | 2;
  readonly retryTable?: readonly number[];
}

/** One delivery to a receiver that answers so, until it has ended or used up the table. */
async function deliver(answer: AnswerWebhook, { type = 2, retryTable = [50, 50] }: Given = {}) {
  const { rows, receiver } = bench;
  paths += 1;
  const path = `/field-${paths}`;
  receiver.answer(path, answer);
  const subscription = await rows.subscribe({ url: receiver.url + path, type });
  const [id] = await rows.put(subscription);
  await bench.sendAll(subscription, { retryTable });
  const { subscriptionId } = subscription;
  const [health] = await bench.database.sql`
    select consecutive_failures, state from subscription where subscription_id = ${subscriptionId}`;
  const arrivals = receiver.receivedAt(path).map(({ at }) => at);
  const attempts = await rows.attempts(id as never);
  return { delivery: await rows.delivery(id as never), attempts, arrivals, health };
}

/** The bytes as they are, and the end of the connection. */
const raw =
  (text: string): AnswerWebhook =>
  ({ socket }) =>
    socket?.end(text);

const json = (code: number, body: object): AnswerWebhook =>
  status(code, JSON.stringify(body), { 'content-type': 'application/json' });

/** The first answer once, and then 204. */
const thenTaken =
  (first: AnswerWebhook): AnswerWebhook =>
  (response, webhook, nth) =>
    nth === 1 ? first(response, webhook, nth) : response.writeHead(204).end();

test.each([
  'HTTP/1.1 204 No Content\r\ncontent-type: application/json\r\ncontent-length: 15\r\n\r\n{"detail":"ok"}',
  'HTTP/1.1 204 No Content\r\ncontent-length: 4\r\n\r\nnull',
  `HTTP/1.1 204 No Content\r\nset-cookie: ${'x'.repeat(20_000)}\r\n\r\n`,
  'HTTP/1.1 204 No Content\r\n',
])('a 204 acknowledges at once, whatever comes behind its status line: %j', async (answer) => {
  const { delivery, arrivals } = await deliver(raw(answer));
  expect(delivery).toMatchObject({ state: 'acknowledged', receiverStatus: 204, attemptsMade: 1 });
  expect(arrivals).toHaveLength(1);
});

test('a refusal whose words cannot be read is nothing but its status', async () => {
  const answer = raw('HTTP/1.1 409 Conflict\r\ncontent-length: 99\r\n\r\n{"message":"No');
  const { delivery, attempts } = await deliver(answer, { retryTable: [] });
  expect(delivery).toMatchObject({ state: 'exhausted', receiverStatus: 409, message: null });
  expect(attempts).toMatchObject([
    { status: 409, error: 'closed_early', response: '{"message":"No' },
  ]);
});

test.each([
  ['Kong', json(404, { message: 'no Route matched with those values' })],
  ['Kong, credentials', json(401, { message: 'Unauthorized' })],
  ['AWS API Gateway', json(403, { message: 'Missing Authentication Token' })],
  ['NestJS', json(403, { message: 'Forbidden resource', error: 'Forbidden', statusCode: 403 })],
  ['Laravel, method', json(405, { message: 'The POST method is not supported for this route.' })],
  ['Laravel, CSRF', json(419, { message: 'CSRF token mismatch.' })],
  ['body-parser', json(413, { message: 'request entity too large' })],
  ['NestJS, media type', json(415, { message: ['Unsupported Media Type'] })],
])('an error of %s for a moment is no decision, and its words are shown', async (_who, answer) => {
  const { delivery, attempts, health } = await deliver(thenTaken(answer));
  expect(delivery).toMatchObject({ state: 'acknowledged', attemptsMade: 2 });
  expect(attempts[0]?.response).toMatch(/"message":/);
  expect(health).toEqual({ consecutiveFailures: 0, state: 'enabled' });
});

test('of a gateway that stays, the words stand with the pending delivery, and it counts for health', async () => {
  const { delivery, health } = await deliver(json(401, { message: 'Unauthorized' }));
  expect(delivery).toMatchObject({ receiverStatus: 401, message: 'Unauthorized', attemptsMade: 3 });
  expect(health).toEqual({ consecutiveFailures: 3, state: 'enabled' });
});

test('a message that is too large for the receiver does not count against it', async () => {
  const { delivery, health } = await deliver(status(413), { type: 1 });
  expect(delivery).toMatchObject({ state: 'exhausted', attemptsMade: 3 });
  expect(health).toEqual({ consecutiveFailures: 0, state: 'enabled' });
});

test('404 with a message refuses if a second try after a second says the same', async () => {
  const { delivery, arrivals, health } = await deliver(json(404, { message: 'Unknown item.' }));
  expect(delivery).toMatchObject({ state: 'refused', message: 'Unknown item.', attemptsMade: 2 });
  const [first = 0, second = 0] = arrivals;
  expect(second - first).toBeGreaterThanOrEqual(950);
  expect(health).toEqual({ consecutiveFailures: 0, state: 'enabled' });
});

test.each([401, 403, 404, 413, 419, 301, 302])(
  'item data that is answered by %i is not delivered yet',
  async (code) => {
    const answer = thenTaken(status(code, undefined, { location: '/login' }));
    const { delivery } = await deliver(answer, { type: 1 });
    expect(delivery).toMatchObject({ state: 'delivered', receiverStatus: 204, attemptsMade: 2 });
  },
);

test.each([
  ['https://www.example.test/hooks?key=1#x', /^redirected to https:\/\/www\.example\.test\/hooks$/],
  ['//user:pw@other.example.test/a', /^redirected to http:\/\/other\.example\.test\/a$/],
  ['../login', /^redirected to http:\/\/127\.0\.0\.1:\d+\/login$/],
  ['http://[', /^the Location is no URL$/],
  [undefined, /^no Location$/],
])('an attempt says where it was redirected to: %s', async (location, detail) => {
  const answer = status(308, undefined, location === undefined ? {} : { location });
  const { attempts } = await deliver(answer, { retryTable: [] });
  expect(attempts).toMatchObject([
    {
      status: 308,
      error: null,
      detail: expect.stringMatching(detail),
    },
  ]);
});

test('an answer that was compressed unasked, in another charset, refuses in its own words', async () => {
  const body = gzipSync(Buffer.from('{"message":"Caf\xe9 \x96 n\xe3o"}', 'latin1'));
  const { delivery, attempts } = await deliver((response) =>
    response
      .writeHead(422, {
        'content-type': 'application/json; charset=iso-8859-1',
        'content-encoding': 'gzip',
      })
      .end(body),
  );
  expect(delivery).toMatchObject({ state: 'refused', message: 'Café – não' });
  expect(attempts).toMatchObject([{ response: '{"message":"Café – não"}', detail: null }]);
});

test('an attempt says why its answer was not read', async () => {
  const large = gzipSync(Buffer.from(JSON.stringify({ message: 'x'.repeat(20_000) })));
  const answers: readonly [AnswerWebhook, string][] = [
    [
      (response) => response.writeHead(422, { 'content-encoding': 'gzip' }).end(large),
      'the answer is gzip and too large',
    ],
    [status(422, ' '.repeat(20_000)), 'the answer is too large'],
    [raw('HTTP/1.1 422 No\r\nno field\r\n\r\n'), 'Invalid header token'],
  ];
  for (const [answer, detail] of answers) {
    const { attempts } = await deliver(answer, { retryTable: [] });
    expect(attempts).toMatchObject([{ status: 422, detail }]);
  }
});

test.each<[AnswerWebhook, string | null]>([
  [status(200), 'only 204 acknowledges a stock movement'],
  [json(202, { message: 'Queued.' }), 'only 204 acknowledges a stock movement'],
  [json(422, { error: { message: 'No such item.' } }), 'a refusal needs a message in JSON'],
  [status(404, 'Not Found'), 'a refusal needs a message in JSON'],
  [json(401, { detail: 'No.' }), null],
  [status(500), null],
])('an attempt says what its answer lacks (%#)', async (answer, detail) => {
  const { attempts, delivery } = await deliver(answer, { retryTable: [] });
  expect(delivery).toMatchObject({ state: 'exhausted' });
  expect(attempts).toMatchObject([{ error: null, detail }]);
});

test('what was wrong with earlier attempts stays with a delivery that has ended', async () => {
  const { attempts } = await deliver(thenTaken(status(302, undefined, { location: '/login' })));
  expect(attempts).toMatchObject([
    { number: 1, detail: expect.stringMatching(/^redirected to/) },
    { number: 2, detail: null },
  ]);
});
