import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { parseCidrs } from '../../../src/platform/outbound/addresses';
import { createOutboundClient } from '../../../src/platform/outbound/http-client';
import type { OutboundRequest, OutboundResult } from '../../../src/platform/outbound/types';

const client = createOutboundClient({ allowCidrs: parseCidrs('127.0.0.0/8'), userAgent: 'test' });
const sockets = new Set<Socket>();
/** What a connection gets for each of its requests; how the path of the request names it. */
const answers = new Map<string, (socket: Socket) => void>();
let server: Server;
let accepted = 0;

beforeAll(async () => {
  server = createServer((socket) => {
    accepted += 1;
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => sockets.delete(socket));
    socket.on('data', (request) => {
      answers.get(/^POST (\S+)/.exec(request.toString('latin1'))?.[1] ?? '')?.(socket);
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
});

afterAll(async () => {
  await client.close();
  for (const socket of sockets) socket.destroy();
  server.close();
});

let paths = 0;

function ask(
  answer: (socket: Socket) => void,
  more: Partial<OutboundRequest> = {},
): Promise<OutboundResult> {
  paths += 1;
  const path = `/${paths}`;
  answers.set(path, answer);
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}${path}`;
  return client.request({ method: 'POST', url, body: '{}', timeoutMs: 8_000, ...more });
}

const write = (text: string) => (socket: Socket) => socket.write(text);
const end = (text: string) => (socket: Socket) => socket.end(text);

/** Each text in a packet of its own. */
const packets =
  (...texts: string[]) =>
  (socket: Socket) => {
    texts.forEach((text, index) => setTimeout(() => socket.write(text), index * 20));
  };

const LONG_FIELD = `x-long: ${'y'.repeat(20_000)}\r\n`;

describe('a 204 ends with its head, whatever its fields say of a body', () => {
  it.each([
    [
      'a length and the body (Django on gunicorn)',
      write,
      'content-length: 15\r\n\r\n{"detail":"ok"}',
    ],
    ['the length of a null (FastAPI)', write, 'content-length: 4\r\n\r\nnull'],
    ['a length and no body (flask-restful)', write, 'content-length: 5\r\n\r\n'],
    ['a length and an end', end, 'content-length: 5\r\n\r\n'],
    ['chunks', write, 'transfer-encoding: chunked\r\n\r\n4\r\nnull\r\n0\r\n\r\n'],
    ['a body without a length', write, '\r\nnull'],
    [
      'a content type and a length of 0',
      write,
      'content-type: text/html\r\ncontent-length: 0\r\n\r\n',
    ],
  ])('%s', async (_title, how, rest) => {
    const result = await ask(how(`HTTP/1.1 204 No Content\r\n${rest}`));
    expect(result).toMatchObject({ kind: 'response', status: 204, truncated: false });
    expect(result).not.toHaveProperty('broken');
    expect(result.durationMs).toBeLessThan(2_000);
  });

  it('the body that came nevertheless is not the beginning of the next answer', async () => {
    const before = accepted;
    const head = 'HTTP/1.1 204 No Content\r\ntransfer-encoding: chunked\r\n\r\n';
    for (let nth = 1; nth <= 3; nth++) {
      const result = await ask(packets(head, '4\r\nnull\r\n0\r\n\r\n'));
      expect(result).toMatchObject({ kind: 'response', status: 204, truncated: false });
    }
    expect(accepted - before).toBeGreaterThanOrEqual(2);
  });
});

describe('once the status line was read there is an answer', () => {
  it.each([
    ['a wrong length', end, '200 OK\r\ncontent-length: 50\r\n\r\n{"a":1}', 'closed_early'],
    [
      'a length that is none',
      write,
      '200 OK\r\ncontent-length: many\r\n\r\n{}',
      'invalid_response',
    ],
    [
      'two lengths',
      write,
      '409 No\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\n{}',
      'closed_early',
    ],
    ['headers over the limit', write, `204 No Content\r\n${LONG_FIELD}\r\n`, 'headers_too_large'],
    ['a field that is none', write, '204 No Content\r\nno field\r\n\r\n', 'invalid_response'],
    ['an end behind the status line', end, '204 No Content\r\n', 'closed_early'],
    ['an end in the headers', end, '409 Conflict\r\ncontent-ty', 'closed_early'],
    [
      'an end in a chunk',
      end,
      '422 No\r\ntransfer-encoding: chunked\r\n\r\n9\r\nab',
      'closed_early',
    ],
    ['no words behind the status', end, '204\r\nx', 'closed_early'],
  ])('%s', async (_title, how, rest, code) => {
    const result = await ask(how(`HTTP/1.1 ${rest}`));
    const status = Number(rest.slice(0, 3));
    expect(result).toMatchObject({ kind: 'response', status, truncated: true, broken: { code } });
    expect(result.durationMs).toBeLessThan(2_000);
  });

  it('in as many packets as it has bytes', async () => {
    const head = 'HTTP/1.1 204 No Content\r\n';
    const result = await ask((socket) => {
      head.split('').forEach((byte, index) => setTimeout(() => socket.write(byte), index * 3));
      setTimeout(() => socket.end(), head.length * 3 + 30);
    });
    expect(result).toMatchObject({
      kind: 'response',
      status: 204,
      broken: { code: 'closed_early' },
    });
  });

  it('behind interim answers', async () => {
    const result = await ask(end('HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 204 No Content\r\nx'));
    expect(result).toMatchObject({ kind: 'response', status: 204 });
  });

  it('also when we give up ourselves', async () => {
    const controller = new AbortController();
    const asked = ask(write('HTTP/1.1 204 No Content\r\nx: y\r\n'), { signal: controller.signal });
    setTimeout(() => controller.abort(), 100);
    expect(await asked).toMatchObject({
      kind: 'response',
      status: 204,
      broken: { code: 'aborted' },
    });
  });

  it('half a status line is none', async () => {
    expect(await ask(end('HTTP/1.1 204'))).toMatchObject({ kind: 'failed', code: 'closed_early' });
  });
});

const statusDecides = (status: number) => status !== 409;

describe('where the status alone decides', () => {
  it.each([
    ['the headers', 'HTTP/1.1 204 No Content\r\n'],
    ['the body', 'HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nhalf'],
  ])('a second without %s is its end', async (_title, text) => {
    const result = await ask(write(text), { statusDecides });
    expect(result).toMatchObject({
      kind: 'response',
      broken: { code: 'timeout', detail: 'the rest of the answer did not come' },
    });
    expect(result.durationMs).toBeGreaterThan(900);
    expect(result.durationMs).toBeLessThan(4_000);
  });

  it('what comes in time is read', async () => {
    const texts = ['HTTP/1.1 500 No\r\n', 'retry-after: 7\r\ncontent-length: 2\r\n\r\n', 'no'];
    const result = await ask(packets(...texts), { statusDecides });
    expect(result).toMatchObject({ truncated: false, headers: { 'retry-after': '7' } });
  });

  it('another status has the whole time for its words', async () => {
    const head = 'HTTP/1.1 409 Conflict\r\ncontent-length: 2\r\n\r\n';
    const result = await ask(
      (socket) => {
        socket.write(head);
        setTimeout(() => socket.write('no'), 1_500);
      },
      { statusDecides },
    );
    expect(result).toMatchObject({ truncated: false, body: Buffer.from('no') });
  });
});
