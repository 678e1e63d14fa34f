import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pipeline, Readable } from 'node:stream';
import { DEFAULT_IMAGE_RULES, IMAGE_RULES } from '../../../src/delivery-apps/app-a/image-rules';
import { parseCidrs } from '../../../src/platform/outbound/addresses';
import { createOutboundClient } from '../../../src/platform/outbound/http-client';
import { probeImage } from '../../../src/delivery-apps/images/image-probe';

// Plain http, to test the file only; another test covers the requirement of https.
const RULES = { ...DEFAULT_IMAGE_RULES, https: false };
const MAX = RULES.maxBytes;

interface File {
  readonly head: Buffer;
  /** Size of the whole file, bytes; the rest is zeros. */
  readonly size: number;
  readonly serve?: 'ranges' | 'no-ranges' | 'no-length' | 'range-of-unknown';
  readonly headers?: Readonly<Record<string, string>>;
  readonly status?: number;
}

const client = createOutboundClient({ allowCidrs: parseCidrs('127.0.0.0/8'), userAgent: 'test' });
let server: Server;
let file: File;
let written = 0;
let requests = 0;

beforeAll(async () => {
  server = createServer((request, response) => serveFile(request, response));
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

function serveFile(request: IncomingMessage, response: ServerResponse): void {
  requests += 1;
  const { size, serve = 'ranges', headers = {}, status } = file;
  const asked = /^bytes=0-(\d+)$/.exec(request.headers.range ?? '');
  const partial = asked && (serve === 'ranges' || serve === 'range-of-unknown');
  const length = partial ? Math.min(size, Number(asked[1]) + 1) : size;
  const total = serve === 'range-of-unknown' ? '*' : size;
  response.writeHead(status ?? (partial ? 206 : 200), {
    ...(partial ? { 'content-range': `bytes 0-${length - 1}/${total}` } : {}),
    ...(serve === 'no-length' || (serve === 'range-of-unknown' && !partial)
      ? {}
      : { 'content-length': length }),
    ...headers,
  });
  const body = Buffer.alloc(length);
  file.head.copy(body);
  // Piece by piece, so that data without a reader is not written.
  pipeline(Readable.from(piecesOf(body)), response, () => {
    written = request.socket.bytesWritten;
  });
}

function* piecesOf(body: Buffer): Generator<Buffer> {
  for (let at = 0; at < body.length; at += 16_384) yield body.subarray(at, at + 16_384);
}

function probe(given: File, rules = RULES) {
  file = given;
  written = 0;
  requests = 0;
  const { port } = server.address() as AddressInfo;
  return probeImage(client, `http://127.0.0.1:${port}/image`, rules);
}

function png(width: number, height: number): Buffer {
  const head = Buffer.from(
    '89504e470d0a1a0a0000000d494844520000000000000000080200000000000000',
    'hex',
  );
  head.writeUInt32BE(width, 16);
  head.writeUInt32BE(height, 20);
  return head;
}

function gif(width: number, height: number): Buffer {
  const head = Buffer.from('GIF89a\0\0\0\0\0\0\0', 'latin1');
  head.writeUInt16LE(width, 6);
  head.writeUInt16LE(height, 8);
  return head;
}

/** A JPEG whose dimensions come after `profileBytes` of other segments. */
function jpeg(width: number, height: number, profileBytes = 0): Buffer {
  const parts = [Buffer.from('ffd8ffe000104a46494600010100000100010000', 'hex')];
  for (let left = profileBytes; left > 0; left -= 65_000) {
    const length = Math.min(left, 65_000);
    const segment = Buffer.alloc(length + 4);
    segment.writeUInt16BE(0xffe2, 0);
    segment.writeUInt16BE(length + 2, 2);
    parts.push(segment);
  }
  const frame = Buffer.from('ffc00011080000000003012200021101031101', 'hex');
  frame.writeUInt16BE(height, 5);
  frame.writeUInt16BE(width, 7);
  return Buffer.concat([...parts, frame]);
}

describe('accepted', () => {
  it.each([
    ['png', png(320, 1144)],
    ['gif', gif(640, 480)],
    ['jpeg', jpeg(1144, 320)],
    ['jpeg', jpeg(800, 600, 64_000)],
  ] as const)('a %s within the rules, measured by its head', async (format, head) => {
    const size = 5_000_000;
    expect(await probe({ head, size })).toMatchObject({ kind: 'ok', format, bytes: size });
    expect(requests).toBe(1);
  });

  it('gives width, height and size', async () => {
    expect(await probe({ head: png(400, 500), size: 1_000 })).toEqual({
      kind: 'ok',
      format: 'png',
      width: 400,
      height: 500,
      bytes: 1_000,
    });
  });

  it('is not read to its end, even from a server without ranges', async () => {
    const result = await probe({ head: png(400, 400), size: MAX - 1, serve: 'no-ranges' });
    expect(result).toMatchObject({ kind: 'ok', bytes: MAX - 1 });
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(written).toBeGreaterThan(0);
    expect(written).toBeLessThan(MAX);
  });

  it.each(['no-length', 'range-of-unknown'] as const)(
    'of a size that the server does not tell (%s) is judged when its end comes within 64 KB',
    async (serve) => {
      expect(await probe({ head: gif(400, 400), size: 65_535, serve })).toMatchObject({
        kind: 'ok',
        bytes: 65_535,
      });
    },
  );
});

describe('not checked, after 64 KB', () => {
  it.each(['no-length', 'range-of-unknown'] as const)(
    'a file whose size the server does not tell (%s)',
    async (serve) => {
      const result = await probe({ head: png(400, 400), size: MAX - 1, serve });
      expect(result).toEqual({ kind: 'bad', verdict: 'not_checked' });
      expect(requests).toBe(1);
      await new Promise((resolve) => setTimeout(resolve, 50));
      expect(written).toBeLessThan(MAX);
    },
  );

  it.each(['ranges', 'no-ranges'] as const)(
    'a JPEG that tells its dimensions behind them (%s)',
    async (serve) => {
      const result = await probe({ head: jpeg(800, 600, 70_000), size: 5_000_000, serve });
      expect(result).toEqual({ kind: 'bad', verdict: 'not_checked' });
    },
  );
});

describe('refused', () => {
  it.each(['ranges', 'no-ranges'] as const)(
    'one byte too many is too large, however the server says so (%s)',
    async (serve) => {
      expect(await probe({ head: png(400, 400), size: MAX, serve })).toMatchObject({
        kind: 'bad',
        verdict: 'too_large',
      });
    },
  );

  it.each([
    [319, 600],
    [600, 319],
    [1145, 600],
    [600, 1145],
    [1, 1],
  ])('%i by %i is the wrong size', async (width, height) => {
    expect(await probe({ head: png(width, height), size: 1_000 })).toMatchObject({
      verdict: 'wrong_size',
    });
  });

  it.each([
    ['a web page', Buffer.from('<!doctype html>')],
    ['an SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="400" height="400"/>')],
    ['a BMP', Buffer.from('BM')],
    ['a WEBP, which these rules do not name', Buffer.from('RIFF\0\0\0\0WEBPVP8 ')],
  ])('%s is of the wrong format, whatever its content type', async (_what, head) => {
    expect(
      await probe({ head, size: 1_000, headers: { 'content-type': 'image/png' } }),
    ).toMatchObject({
      verdict: 'wrong_format',
    });
  });

  it('an image cut before its dimensions is unreadable', async () => {
    expect(await probe({ head: png(400, 400).subarray(0, 12), size: 12 })).toMatchObject({
      verdict: 'unreadable',
    });
  });

  it('an empty file is unreadable', async () => {
    expect(await probe({ head: Buffer.alloc(0), size: 0, serve: 'no-ranges' })).toMatchObject({
      verdict: 'unreadable',
    });
  });

  it.each([301, 401, 404, 410])('status %i is unreadable', async (status) => {
    expect(await probe({ head: png(400, 400), size: 1_000, status })).toMatchObject({
      verdict: 'unreadable',
    });
  });

  it('a URL that is not https, without a request', async () => {
    expect(await probe({ head: png(400, 400), size: 1_000 }, DEFAULT_IMAGE_RULES)).toMatchObject({
      verdict: 'not_https',
    });
    expect(requests).toBe(0);
  });

  it('an address that is not public is unreadable', async () => {
    expect(await probeImage(client, 'http://10.0.0.1/a.png', RULES)).toMatchObject({
      verdict: 'unreadable',
    });
  });
});

describe('not known', () => {
  it.each([408, 429, 500, 503])('status %i may pass', async (status) => {
    expect(await probe({ head: png(400, 400), size: 1_000, status })).toEqual({
      kind: 'unreachable',
      reason: `status ${status}`,
    });
  });

  it('there is no listener', async () => {
    expect(await probeImage(client, 'http://127.0.0.1:1/a.png', RULES)).toMatchObject({
      kind: 'unreachable',
    });
  });
});

describe('the other version of the rules', () => {
  const rules = { ...IMAGE_RULES[2], https: false };

  it.each([
    ['lossy', '52494646ffffff00574542505650382000ffff00300100 9d012a d007 dc05'],
    ['lossless', '52494646ffffff00574542505650384c00ffff002f cf c7 76 01 0000000000'],
    ['extended', '52494646ffffff005745425056503858 0a000000 00000000 cf0700 db0500'],
  ])('takes a %s WEBP, measured by its head', async (_what, hex) => {
    const head = Buffer.from(hex.replaceAll(' ', ''), 'hex');
    expect(await probe({ head, size: 12_000_000 }, rules)).toMatchObject({
      kind: 'ok',
      format: 'webp',
      width: 2_000,
      height: 1_500,
    });
  });

  it('takes no GIF', async () => {
    expect(await probe({ head: gif(400, 400), size: 1_000 }, rules)).toMatchObject({
      verdict: 'wrong_format',
    });
  });
});
