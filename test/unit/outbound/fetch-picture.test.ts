import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fetchPicture, LARGEST_PICTURE } from '../../../src/delivery-apps/images/fetch-picture';
import { parseCidrs } from '../../../src/platform/outbound/addresses';
import { createOutboundClient } from '../../../src/platform/outbound/http-client';

type Behaviour = (response: ServerResponse) => void;

const PNG = Buffer.from('89504e470d0a1a0a', 'hex');
const HEADS = {
  png: PNG,
  jpeg: Buffer.from('ffd8ffe0', 'hex'),
  gif: Buffer.from('GIF89a'),
  webp: Buffer.from('RIFF....WEBPVP8 '),
};

const client = createOutboundClient({ allowCidrs: parseCidrs('127.0.0.1/32'), userAgent: 'test' });
let server: Server;
let behave: Behaviour;
let closed: Promise<void>;

beforeAll(async () => {
  server = createServer((_request, response) => {
    closed = new Promise((resolve) => {
      response.once('close', resolve);
    });
    behave(response);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
});

afterAll(async () => {
  await client.close();
  await new Promise((resolve) => {
    server.close(resolve);
    server.closeAllConnections();
  });
});

function fetchFrom(behaviour: Behaviour, host = '127.0.0.1') {
  behave = behaviour;
  const { port } = server.address() as AddressInfo;
  return fetchPicture(client, `http://${host}:${port}/picture`);
}

/** Of so many bytes, whose number is said or not. */
function fetchOf(bytes: number, isSaid: boolean) {
  return fetchFrom((response) => {
    const body = Buffer.alloc(bytes);
    PNG.copy(body);
    if (isSaid) response.setHeader('content-length', bytes);
    else response.flushHeaders();
    response.end(body);
  });
}

function fetchWith(status: number) {
  return fetchFrom((response) =>
    response.writeHead(status, { 'content-type': 'image/png' }).end(PNG),
  );
}

/** Writes zeros until the connection is gone. */
function endless(response: ServerResponse): void {
  const zeros = Buffer.alloc(65_536);
  const write = () => {
    if (response.destroyed) return;
    if (response.write(zeros)) setImmediate(write);
    else response.once('drain', write);
  };
  write();
}

test.each(Object.entries(HEADS))('a %s is told by its first bytes', async (format, head) => {
  const bytes = Buffer.concat([head, Buffer.alloc(50)]);
  const found = await fetchFrom((response) => {
    response.setHeader('content-type', 'text/html');
    response.end(bytes);
  });
  expect(found).toEqual({ format, bytes });
});

test('whatever its type is said to be, an SVG, a page and nothing at all are no pictures', async () => {
  for (const text of ['<svg xmlns="http://www.w3.org/2000/svg"/>', '<!doctype html><p>', '']) {
    const found = await fetchFrom((response) => {
      response.setHeader('content-type', 'image/png');
      response.end(text);
    });
    expect([text, found]).toEqual([text, 'unreadable']);
  }
});

test('5 MB are shown whole, and one byte more is not, whether its length is said or not', async () => {
  expect(await fetchOf(LARGEST_PICTURE, true)).toMatchObject({ format: 'png' });
  expect(await fetchOf(LARGEST_PICTURE, false)).toMatchObject({ format: 'png' });
  expect(await fetchOf(LARGEST_PICTURE + 1, true)).toBe('unreadable');
  expect(await fetchOf(LARGEST_PICTURE + 1, false)).toBe('unreadable');
});

test('an endless answer is left as soon as it is no picture, or too large', async () => {
  for (const head of ['this is no picture', PNG]) {
    const found = await fetchFrom((response) => {
      response.write(head);
      endless(response);
    });
    expect(found).toBe('unreadable');
    await closed;
  }
});

test('a redirect is not followed, also not to an address that is not public', async () => {
  for (const to of ['http://10.0.0.1/picture', 'http://169.254.169.254/latest', '/picture']) {
    const found = await fetchFrom((response) => {
      response.writeHead(302, { location: to }).end(PNG);
    });
    expect([to, found]).toEqual([to, 'unreadable']);
  }
});

test('an address that is not allowed, and a server that is not there, have no picture', async () => {
  expect(await fetchFrom((response) => response.end(PNG), '127.0.0.2')).toBe('unreadable');
  expect(await fetchPicture(client, 'http://127.0.0.1:9/picture')).toBe('unreadable');
  expect(await fetchPicture(client, 'data:image/png;base64,iVBORw0KGgo=')).toBe('unreadable');
});

test('a picture that its server does not have is missing, and trouble of the server is not that', async () => {
  expect(await fetchWith(404)).toBe('missing');
  expect(await fetchWith(410)).toBe('missing');
  expect(await fetchWith(500)).toBe('unreadable');
  expect(await fetchWith(206)).toBe('unreadable');
});

test('an answer that breaks off is no picture', async () => {
  const found = await fetchFrom((response) => {
    response.writeHead(200, { 'content-length': 1_000 }).write(PNG);
    setTimeout(() => response.destroy(), 50);
  });
  expect(found).toBe('unreadable');
});

test('a picture that comes byte by byte is given up after ten seconds', async () => {
  const startedAt = performance.now();
  const found = await fetchFrom((response) => {
    response.write(PNG);
    const timer = setInterval(() => response.write('.'), 100);
    response.once('close', () => clearInterval(timer));
  });
  expect(found).toBe('unreadable');
  expect(performance.now() - startedAt).toBeGreaterThan(9_000);
  expect(performance.now() - startedAt).toBeLessThan(13_000);
}, 20_000);
