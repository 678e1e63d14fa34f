import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text as textOf } from 'node:stream/consumers';
import {
  ApiError,
  type Client,
  type ClientOptions,
  createClient,
  UploadNotEndedError,
} from '../../clients/typescript/src';

/** Answers the next request; the last one answers all further ones. */
type Step = (response: ServerResponse) => void;

interface Seen {
  readonly method: string;
  readonly url: string;
  readonly key: string | undefined;
  readonly body: string;
}

let steps: Step[];
let seen: Seen[];
let url: string;
const server = createServer((request, response) => void take(request, response));

async function take(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { method = '', headers } = request;
  const key = headers['idempotency-key'] as string | undefined;
  seen.push({ method, url: request.url ?? '', key, body: await textOf(request) });
  const step = steps.length > 1 ? steps.shift() : steps[0];
  step?.(response);
}

beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
beforeEach(() => {
  seen = [];
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

function json(status: number, body: unknown, headers: Record<string, string> = {}): Step {
  return (response) =>
    response
      .writeHead(status, { 'content-type': 'application/json', ...headers })
      .end(JSON.stringify(body));
}

function client(script: Step[], options: Partial<ClientOptions> = {}): Client {
  steps = script;
  return createClient({ baseUrl: url, token: 'secret', firstPauseMs: 1, ...options });
}

const CREATED = json(201, { message: 'Store successfully created.', data: { id: 7 } });
const STORE = { body: { name: 'Centro', country_code: 'MX' } } as const;
const silent: Step = () => {};
const text: Step = (response) => response.writeHead(401).end('Unauthorized.');
const broken: Step = (response) =>
  response.writeHead(500, { 'content-type': 'application/json' }).end('<html>');
const elsewhere: Step = (response) => response.writeHead(302, { location: '/' }).end();
const cut: Step = (response) => {
  response.writeHead(201, { 'content-length': '100' }).write('{');
  setImmediate(() => response.destroy());
};

test.each([
  ['503', json(503, { message: ['The service is busy.'], data: null }, { 'retry-after': '0' })],
  ['429', json(429, { message: ['Too many requests.'], data: null })],
  ['408 without a body', (response: ServerResponse) => response.writeHead(408).end()],
  ['the first still at work', json(409, { message: ['…'], data: null }, { 'retry-after': '0' })],
  ['a connection cut before the answer', (response: ServerResponse) => response.destroy()],
  ['a connection cut inside the answer', cut],
])('after %s a request is repeated with the same key', async (_what, step) => {
  const { status, body } = await client([step, step, CREATED]).call('createStore', STORE);
  expect([status, body.data.id]).toEqual([201, 7]);
  expect(seen).toHaveLength(3);
  expect(new Set(seen.map((each) => `${each.key} ${each.body}`)).size).toBe(1);
  expect(seen[0]?.key).toMatch(/^[\w-]{36}$/);
});

test('a key of the caller is sent as it is', async () => {
  await client([CREATED]).call('createStore', { ...STORE, key: 'order-17' });
  expect(seen.map(({ key }) => key)).toEqual(['order-17']);
});

test('a write without a key is sent once', async () => {
  const failing = client([json(503, { message: ['The service is busy.'], data: null })]);
  const change = failing.call('changeStore', { path: { store_id: 1 }, body: { direction: 'A' } });
  await expect(change).rejects.toThrow('503: The service is busy.');
  expect(seen.map(({ method, url: path, key }) => [method, path, key])).toEqual([
    ['PATCH', '/api/v1/store/1', undefined],
  ]);
});

test.each([400, 401, 404, 409, 422])('a %s is not repeated', async (status) => {
  await expect(client([json(status, {})]).call('createStore', STORE)).rejects.toThrow(ApiError);
  expect(seen).toHaveLength(1);
});

test('repeats end with the last failure', async () => {
  const busy = client([json(503, { message: ['The service is busy.'] })], { repeats: 2 });
  await expect(busy.call('me', {})).rejects.toMatchObject({ status: 503 });
  expect(seen).toHaveLength(3);
  const away = client([(response) => response.destroy()], { repeats: 2 });
  await expect(away.call('me', {})).rejects.toThrow('fetch failed');
  expect(seen).toHaveLength(6);
});

test('an option that is undefined has its default', async () => {
  const busy = json(503, { message: ['The service is busy.'] });
  const options = { repeats: undefined, timeoutMs: undefined, token: undefined, fetch: undefined };
  const call = client([busy, busy, busy, busy, busy, CREATED], options).call('createStore', STORE);
  await expect(call).rejects.toMatchObject({ status: 503 });
  expect(seen).toHaveLength(5);
});

test('a requested wait of minutes is left to the caller', async () => {
  const step = json(429, { message: ['Too many requests.'] }, { 'retry-after': '61' });
  await expect(client([step]).call('me', {})).rejects.toMatchObject({ status: 429 });
  expect(seen).toHaveLength(1);
});

test('a try without an answer is abandoned and repeated', async () => {
  const answer = client([silent, CREATED], { timeoutMs: 1_000 }).call('createStore', STORE);
  expect((await answer).status).toBe(201);
  expect(seen.length).toBeGreaterThan(1);
});

test('the caller can end a call, its pauses included', async () => {
  const ending = new AbortController();
  const step: Step = (response) => {
    json(503, {}, { 'retry-after': '50' })(response);
    setTimeout(() => ending.abort(new Error('enough')), 10);
  };
  const call = client([step]).call('me', { signal: ending.signal });
  await expect(call).rejects.toThrow(/enough|aborted/);
  expect(seen).toHaveLength(1);
});

/** What the client throws for this answer. */
function refused(step: Step): Promise<ApiError | null> {
  return client([step], { repeats: 0 })
    .call('createStore', STORE)
    .then(
      () => null,
      (error: unknown) => error as ApiError,
    );
}

describe('a refusal says what the service said:', () => {
  test('fields', async () => {
    const error = await refused(json(422, { name: ['The name field is required.'] }));
    expect(error?.message).toBe('422: The name field is required.');
    expect(error?.fields).toEqual({ name: ['The name field is required.'] });
  });

  test('sentences, with the request and the upload to ask about', async () => {
    const headers = { 'x-request-id': 'req-1', 'x-upload-id': 'upl_1' };
    const error = await refused(json(409, { message: ['One.', 'Two.'], data: null }, headers));
    expect(error?.messages).toEqual(['One.', 'Two.']);
    expect([error?.requestId, error?.uploadId]).toEqual(['req-1', 'upl_1']);
  });

  test('plain text, and what an intermediary made of it', async () => {
    expect((await refused(text))?.message).toBe('401: Unauthorized.');
    expect((await refused(broken))?.body).toBe('<html>');
    expect((await refused(elsewhere))?.message).toBe('302: no message');
  });
});

test('values in a path and a query arrive unchanged', async () => {
  const found = client([json(200, { message: 'Success.', data: {} })]);
  await found.call('getUpload', { path: { upload_id: 'a/b c' } });
  await found.call('listUploads', { query: { state: 'failed', limit: 5 } });
  expect(seen.map((each) => each.url)).toEqual([
    '/api/v1/menus/uploads/a%2Fb%20c',
    '/api/v1/menus/uploads?state=failed&limit=5',
  ]);
});

test.each(['', '.', '..'])('the id %p is refused before anything is sent', async (id) => {
  const call = client([]).call('getUpload', { path: { upload_id: id } });
  await expect(call).rejects.toThrow('getUpload needs upload_id');
  expect(seen).toEqual([]);
});

const page = (ids: string[], next: string | null) =>
  json(200, {
    message: 'Success.',
    data: ids.map((id) => ({ upload_id: id })),
    next_cursor: next,
  });

test('a list is read page by page, only as far as needed', async () => {
  const pages = [page(['a', 'b'], 'c1'), page([], 'c2'), page(['c'], null)];
  const all: string[] = [];
  for await (const upload of client([...pages]).each('listUploads', { query: { store_id: 1 } })) {
    all.push(upload.upload_id);
  }
  expect(all).toEqual(['a', 'b', 'c']);
  expect(seen.map((each) => each.url.split('?')[1])).toEqual([
    'store_id=1',
    'store_id=1&cursor=c1',
    'store_id=1&cursor=c2',
  ]);
  for await (const upload of client([...pages]).each('listUploads', {})) {
    if (upload.upload_id === 'b') break;
  }
  expect(seen).toHaveLength(4);
});

const state = (name: string) =>
  json(200, { message: 'Success.', data: { upload_id: 'upl_1', state: name } });

describe('waiting for an upload', () => {
  test('ends with the upload, in whatever state', async () => {
    const waiting = client([state('queued'), state('running'), state('failed')]);
    expect((await waiting.waitForUpload('upl_1')).state).toBe('failed');
    expect(seen).toHaveLength(3);
  });

  test('takes the answer or the error of the request that made it', async () => {
    const refusing = json(409, { message: ['No.'], data: null }, { 'x-upload-id': 'upl_1' });
    const made = client([refusing, state('failed')]);
    const error = await made.call('uploadMenu', { body: { store_id: 1 } as never }).then(
      () => null,
      (given: unknown) => given as ApiError,
    );
    expect((await made.waitForUpload(error ?? '')).state).toBe('failed');
    expect(seen.at(-1)?.url).toBe('/api/v1/menus/uploads/upl_1');
    await expect(made.waitForUpload({ headers: new Headers() })).rejects.toThrow('names no upload');
  });

  test('ends at the deadline with the state last seen', async () => {
    const waiting = client([state('running')]).waitForUpload('upl_1', { timeoutMs: 1 });
    await expect(waiting).rejects.toThrow(UploadNotEndedError);
    await expect(waiting).rejects.toMatchObject({ upload: { state: 'running' } });
  });
});
