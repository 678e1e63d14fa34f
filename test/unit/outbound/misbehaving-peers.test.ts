import { parseCidrs } from '../../../src/platform/outbound/addresses';
import { createOutboundClient } from '../../../src/platform/outbound/http-client';
import type { OutboundRequest } from '../../../src/platform/outbound/types';
import {
  type BehaviourName,
  type MisbehavingServer,
  startMisbehavingServer,
} from '../../support/misbehaving-server';

const client = createOutboundClient({ allowCidrs: parseCidrs('127.0.0.0/8'), userAgent: 'test' });
let server: MisbehavingServer;

beforeAll(async () => {
  server = await startMisbehavingServer();
});

afterAll(async () => {
  await client.close();
  await server.close();
});

function post(behaviour: BehaviourName, more: Partial<OutboundRequest> = {}) {
  const url = `${server.url(behaviour)}?app_secret=s3cret`;
  return client.request({ method: 'POST', url, body: '{}', timeoutMs: 5_000, ...more });
}

it.each([
  ['reset-without-answer', 'reset'],
  ['close-without-answer', 'closed_early'],
  ['close-in-status-line', 'closed_early'],
  ['garbage', 'invalid_response'],
  ['interim-forever', 'invalid_response'],
  ['continue-forever', 'invalid_response'],
  ['eleven-interim-then-answer', 'invalid_response'],
  ['continue-then-close', 'closed_early'],
  ['close-in-interim', 'closed_early'],
  ['huge-interim', 'headers_too_large'],
  ['unasked-upgrade', 'invalid_response'],
] as const)(
  'a peer that does %s fails the request at once, outcome unknown',
  async (behaviour, code) => {
    const result = await post(behaviour);
    expect(result).toMatchObject({ kind: 'failed', sent: 'some', code });
    expect(result.durationMs).toBeLessThan(2_000);
  },
);

it.each([
  // Which of the two the kernel reports depends on what was read before.
  ['reset-in-body', expect.stringMatching(/^(reset|closed_early)$/)],
  ['close-in-body', 'closed_early'],
  ['close-in-announced-last-body', 'closed_early'],
  ['close-in-chunk', 'closed_early'],
  ['bad-chunk', 'invalid_response'],
  ['huge-head', 'headers_too_large'],
])('a peer that does %s has answered with its status, at once', async (behaviour, code) => {
  const result = await post(behaviour as BehaviourName);
  expect(result).toMatchObject({
    kind: 'response',
    status: 200,
    truncated: true,
    broken: { code },
  });
  expect(result.durationMs).toBeLessThan(2_000);
});

it('a peer that does hang is cut off at the deadline', async () => {
  const result = await post('hang', { timeoutMs: 150 });
  expect(result).toMatchObject({ kind: 'failed', code: 'timeout', sent: 'some' });
  expect(result.durationMs).toBeGreaterThanOrEqual(145);
  expect(result.durationMs).toBeLessThan(3_000);
});

it.each(['drip-head', 'drip-body'] as const)(
  'the answer of a peer that does %s is cut off at the deadline',
  async (behaviour) => {
    const result = await post(behaviour, { timeoutMs: 600 });
    expect(result).toMatchObject({ kind: 'response', status: 200, broken: { code: 'timeout' } });
    expect(result.durationMs).toBeGreaterThanOrEqual(595);
    expect(result.durationMs).toBeLessThan(3_000);
  },
);

it.each(['endless-body', 'endless-tiny-chunks'] as const)(
  'an endless answer (%s) is read up to the limit and cut',
  async (behaviour) => {
    const result = await post(behaviour, { maxResponseBytes: 100_000 });
    expect(result).toMatchObject({ kind: 'response', status: 200, truncated: true });
    expect(result.kind === 'response' && result.body.length).toBe(100_000);
  },
);

it('an answer of exactly the limit is complete', async () => {
  const result = await post('hello', { maxResponseBytes: 5 });
  expect(result).toMatchObject({ kind: 'response', truncated: false, body: Buffer.from('hello') });
});

it('a gzip bomb is never requested, and decoded only up to the limit', async () => {
  const result = await post('gzip-bomb', { headers: { 'Accept-Encoding': 'gzip' } });
  expect(result).toMatchObject({
    body: Buffer.alloc(0),
    detail: 'the answer is gzip and too large',
  });
  expect(server.requests.at(-1)).toMatch(/\r\naccept-encoding: identity\r\n/);
  expect(server.requests.at(-1)).not.toMatch(/gzip\r\n/);
});

it('an answer whose end is the end of the connection is whole', async () => {
  expect(await post('body-until-close')).toMatchObject({
    truncated: false,
    body: Buffer.from('hello'),
  });
});

it('a redirect is an answer, not followed', async () => {
  const before = server.requests.length;
  expect(await post('redirect')).toMatchObject({
    kind: 'response',
    status: 302,
    headers: { location: '/no-content' },
  });
  expect(server.requests.length).toBe(before + 1);
});

it('a few interim answers are skipped', async () => {
  expect(await post('interim-then-answer')).toMatchObject({ kind: 'response', status: 204 });
});

it.each([
  'continue-then-answer',
  'every-interim-then-answer',
  'interim-byte-by-byte',
  'ten-interim-then-answer',
] as const)('the answer behind interim ones (%s) is read', async (behaviour) => {
  expect(await post(behaviour)).toMatchObject({
    kind: 'response',
    status: 200,
    body: Buffer.from('hello'),
    truncated: false,
  });
});

it('a connection that had interim answers is used again, and has them again', async () => {
  const own = await startMisbehavingServer();
  const request = { method: 'POST', url: own.url('continue-then-answer'), body: '{}' } as const;
  for (let nth = 1; nth <= 3; nth++) {
    expect(await client.request({ ...request, timeoutMs: 5_000 })).toMatchObject({ status: 200 });
  }
  expect(own.accepted()).toBe(1);
  await own.close();
});

it('bytes of a body that look like an interim answer stay in it', async () => {
  expect(await post('body-that-looks-interim')).toMatchObject({
    body: Buffer.from('HTTP/1.1 100 Continue\r\n\r\n'),
  });
});

it('header names are lower case, repeated fields joined', async () => {
  expect(await post('hello')).toMatchObject({ headers: { 'x-twice': 'a, b' } });
});

it('a failure message names host and cause, and nothing of path, query or body', async () => {
  const result = await post('reset-without-answer');
  expect(result.kind === 'failed' && result.message).toBe(
    `127.0.0.1:${server.port}: the connection was reset (ECONNRESET)`,
  );
});

it('a peer that resets each connection right away fails the request', async () => {
  const resetting = await startMisbehavingServer({ onAccept: 'reset' });
  const result = await client.request({
    method: 'POST',
    url: resetting.url('hello'),
    body: 'x'.repeat(1_000_000),
    timeoutMs: 5_000,
  });
  await resetting.close();
  expect(result.kind === 'failed' && result.code).toMatch(/^(reset|closed_early|connect_failed)$/);
});

it('without a listener the request is refused, and certainly nothing is sent', async () => {
  const gone = await startMisbehavingServer();
  await gone.close();
  const result = await client.request({
    method: 'POST',
    url: gone.url('hello'),
    body: '{}',
    timeoutMs: 5_000,
  });
  expect(result).toMatchObject({ kind: 'failed', code: 'connect_refused', sent: 'none' });
});

describe('giving up', () => {
  it('ends a running request when the signal fires, and closes its connection', async () => {
    const controller = new AbortController();
    setTimeout(() => controller.abort(), 50);
    const result = await post('hang', { signal: controller.signal });
    expect(result).toMatchObject({ kind: 'failed', code: 'aborted', sent: 'some' });
  });

  it('sends nothing when the signal has fired before', async () => {
    const before = server.requests.length;
    expect(await post('hello', { signal: AbortSignal.abort() })).toMatchObject({
      kind: 'failed',
      code: 'aborted',
      sent: 'none',
    });
    expect(server.requests.length).toBe(before);
  });
});

describe('requests that cannot be sent', () => {
  it.each([
    'http://user:pass@127.0.0.1/',
    'http://user@127.0.0.1/',
    'ftp://127.0.0.1/',
    'file:///etc/passwd',
    'not a url',
    '/relative',
    '',
  ])('%p is refused before anything happens', async (url) => {
    const result = await client.request({ method: 'GET', url, timeoutMs: 1_000 });
    expect(result).toMatchObject({ kind: 'failed', code: 'invalid_request', sent: 'none' });
    expect(JSON.stringify(result)).not.toContain('pass@');
  });

  it.each([
    { 'x-a': 'b\r\nx-injected: 1' },
    { 'bad name': 'x' },
    { 'transfer-encoding': 'chunked' },
  ])('headers %p are refused with nothing sent', async (headers) => {
    const before = server.requests.length;
    const result = await post('hello', { headers });
    expect(result).toMatchObject({ kind: 'failed', code: 'invalid_request', sent: 'none' });
    expect(server.requests.length).toBe(before);
  });
});

describe('onSent', () => {
  it('is called once, before the answer', async () => {
    const calls: string[] = [];
    await post('hello', { onSent: () => calls.push('sent') }).then(() => calls.push('answered'));
    expect(calls).toEqual(['sent', 'answered']);
  });

  it('is called for a request that is never answered', async () => {
    const onSent = jest.fn();
    await post('hang', { onSent, timeoutMs: 100 });
    expect(onSent).toHaveBeenCalledTimes(1);
  });

  it('is not called while the last byte waits for a receiver that does not read', async () => {
    const deaf = await startMisbehavingServer({ onAccept: 'never-read' });
    const onSent = jest.fn();
    const result = await client.request({
      method: 'POST',
      url: deaf.url('hang'),
      // More than the kernel buffers of both sides take in.
      body: Buffer.alloc(32 * 1024 * 1024),
      timeoutMs: 300,
      onSent,
    });
    await deaf.close();
    expect(result).toMatchObject({ kind: 'failed', code: 'timeout', sent: 'some' });
    expect(onSent).not.toHaveBeenCalled();
  });

  it('is called for a large body when the receiver has taken it', async () => {
    const onSent = jest.fn();
    // The server reads it piece by piece, which takes seconds where many programs run.
    const body = Buffer.alloc(8 * 1024 * 1024);
    const result = await post('no-content', { onSent, body, timeoutMs: 25_000 });
    expect(result).toMatchObject({ kind: 'response', status: 204 });
    expect(onSent).toHaveBeenCalledTimes(1);
  });

  it('is not called when there is no connection', async () => {
    const onSent = jest.fn();
    await client.request({ method: 'GET', url: 'http://10.0.0.1/', timeoutMs: 1_000, onSent });
    expect(onSent).not.toHaveBeenCalled();
  });
});
