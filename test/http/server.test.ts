import { EventEmitter, once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { type HttpServer, startHttpServer } from '../../src/http/server';
import { type Line, openLine } from '../support/raw-socket';
import { until } from '../support/until';

test('a server stops at once although a client has opened a connection without a request', async () => {
  const server = await startHttpServer(() => Promise.resolve(), { host: '127.0.0.1', port: 0 });
  const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
  socket.on('error', () => {});
  await new Promise((resolve) => socket.once('connect', resolve));
  // Accepted by the kernel is not yet accepted by Node.
  await new Promise((resolve) => setTimeout(resolve, 100));
  const startedAt = Date.now();
  await server.stop();
  // By force it would be ended after 10 s.
  expect(Date.now() - startedAt).toBeLessThan(8_000);
});

test('a request that was on its way when the server stopped is answered, on a connection that ends with it', async () => {
  const server = await startHttpServer(
    (_request, response) => {
      response.end('done');
      return Promise.resolve();
    },
    { host: '127.0.0.1', port: 0 },
  );
  const socket = connect(Number(new URL(server.url).port), '127.0.0.1').setEncoding('utf8');
  let answer = '';
  socket.on('data', (text: string) => (answer += text));
  await once(socket, 'connect');
  const stopped = server.stop();
  await sleep(50);
  socket.write('GET / HTTP/1.1\r\nHost: here\r\n\r\n');
  await Promise.all([stopped, once(socket, 'close')]);
  expect(answer).toMatch(/^HTTP\/1.1 200 OK\r\n[^]*Connection: close\r\n[^]*done/);
});

test('a request in progress is answered before the server stops, with notice that it closes', async () => {
  const gate = new EventEmitter();
  const server = await startHttpServer(
    async (_request, response) => {
      gate.emit('begun');
      await once(gate, 'go');
      response.end('done');
    },
    { host: '127.0.0.1', port: 0 },
  );
  const begun = once(gate, 'begun');
  const asked = fetch(server.url);
  await begun;
  const stopped = server.stop();
  gate.emit('go');
  const response = await asked;
  expect(response.headers.get('connection')).toBe('close');
  expect(await response.text()).toBe('done');
  await stopped;
  await expect(fetch(server.url)).rejects.toThrow('fetch failed');
});

/** Reads `wanted` bytes, and so many of them a second; undefined if the server closes before. */
async function readAll(client: Socket, wanted: number, perSecond = Infinity) {
  const startedAt = performance.now();
  for (let length = 0; length < wanted;) {
    const piece = client.read() as Buffer | null;
    if (piece) length += piece.length;
    else if (client.readableEnded || client.destroyed) return undefined;
    else await sleep(5);
    const early = (length / perSecond) * 1_000 - (performance.now() - startedAt);
    if (early > 0) await sleep(early);
  }
  return performance.now() - startedAt;
}

describe('a large answer', () => {
  const UNREAD_MS = 2_000;
  const SIZE = 24 * 1_048_576;
  /** The answers that are not closed. */
  let open: number;
  let server: HttpServer;
  const clients: Socket[] = [];

  beforeAll(async () => {
    open = 0;
    const bytes = Buffer.alloc(SIZE, 'x');
    server = await startHttpServer(
      async (request, response) => {
        open += 1;
        response.once('close', () => {
          open -= 1;
        });
        if (request.url === '/late') await sleep(3 * UNREAD_MS);
        response.setHeader('Content-Length', SIZE);
        if (request.url === '/pieces') {
          const pieces = Array.from({ length: 384 }, (_, n) =>
            bytes.subarray(n << 16, (n + 1) << 16),
          );
          Readable.from(pieces, { objectMode: false }).pipe(response);
        } else response.end(bytes);
      },
      {
        host: '127.0.0.1',
        port: 0,
        patience: {
          headersMs: 10_000,
          requestMs: 60_000,
          leastBytes: 4 * 1_048_576,
          unreadMs: UNREAD_MS,
        },
      },
    );
  });
  afterAll(async () => {
    for (const client of clients) client.destroy();
    await server.stop();
  });

  /** Asks for these paths in one connection, of which nothing is read yet. */
  async function ask(...paths: string[]): Promise<Socket> {
    const before = open;
    const client = connect(Number(new URL(server.url).port), '127.0.0.1');
    client.on('error', () => {});
    clients.push(client.pause());
    client.write(paths.map((path) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`).join(''));
    await until(() => open === before + 1);
    return client;
  }

  test.each(['/whole', '/pieces'])('%s that nobody reads is ended', async (path) => {
    const client = await ask(path);
    // What the client sends meanwhile does not put it off.
    const sending = setInterval(() => client.write('\r\n'), 200);
    await until(() => open === 0);
    clearInterval(sending);
    expect(await readAll(client, SIZE)).toBeUndefined();
  });

  test.each(['/whole', '/pieces'])('%s that is read slowly goes on to its end', async (path) => {
    const ms = await readAll(await ask(path), SIZE, 3 * 1_048_576);
    expect(ms).toBeGreaterThan(3 * UNREAD_MS);
  });

  // A system of this machine sends the next bytes when a third of what it holds, up to 1 MB, is read.
  test.each(['/whole', '/pieces'])('%s that is hardly read is ended', async (path) => {
    expect(await readAll(await ask(path), SIZE, 1_048_576)).toBeUndefined();
    await until(() => open === 0);
  });

  test('that is not made yet, or is behind another one, is waited for', async () => {
    const client = await ask('/whole', '/late');
    expect(await readAll(client, 2 * SIZE)).toBeGreaterThan(2 * UNREAD_MS);
  });
});

describe('requests that are sent ahead', () => {
  /** The paths of the requests that were begun, and of those whose answers are not closed. */
  let begun: string[];
  let open: string[];
  let server: HttpServer;
  let client: Line;

  beforeEach(async () => {
    begun = [];
    open = [];
    server = await startHttpServer(
      async ({ url: path = '' }, response) => {
        begun.push(path);
        open.push(path);
        response.once('close', () => open.splice(open.indexOf(path), 1));
        if (path === '/never') return;
        if (path === '/slow') await sleep(100);
        if (path === '/last') response.setHeader('Connection', 'close');
        response.end(path === '/large' ? Buffer.alloc(24 * 1_048_576, 'x') : 'done');
      },
      { host: '127.0.0.1', port: 0 },
    );
    client = await openLine(server.url);
  });
  afterEach(async () => {
    client.hangUp();
    await server.stop();
  });

  const ask = (...paths: string[]): void =>
    client.send(paths.map((path) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`).join(''));

  test('are begun one after the other, and answered in their order', async () => {
    ask('/slow', '/one', '/slow', '/two');
    await until(() => begun.length === 1);
    expect(begun).toEqual(['/slow']);
    const { statuses } = await client.answers(4);
    expect(statuses).toEqual([200, 200, 200, 200]);
    expect(begun).toEqual(['/slow', '/one', '/slow', '/two']);
    ask('/three');
    await client.answers(5);
    await until(() => open.length === 0);
  });

  test.each(['/large', '/never'])('behind %s are dropped when the client leaves', async (first) => {
    client.socket.pause();
    ask(first, '/one', '/two');
    await until(() => open.includes(first));
    client.socket.resetAndDestroy();
    await until(() => open.length === 0);
    expect(begun).toEqual([first]);
  });

  test('are dropped if they are behind the last answer of a connection', async () => {
    ask('/slow', '/last', '/one');
    expect((await client.closed()).statuses).toEqual([200, 200]);
    expect(begun).toEqual(['/slow', '/last']);
  });

  test('are answered, however many; those behind the eighth are read when it is their turn', async () => {
    const twenty = Array.from({ length: 20 }, (_, n) => `/${n}`);
    ask('/slow', ...twenty);
    expect((await client.answers(21)).closed).toBe(false);
    expect(begun).toEqual(['/slow', ...twenty]);
  });
});
