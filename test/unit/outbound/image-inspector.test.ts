import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { parseCidrs } from '../../../src/outbound/addresses';
import { createOutboundClient } from '../../../src/outbound/http-client';
import { createImageInspector } from '../../../src/outbound/image-inspector';
import { selfSignedCertificate } from '../../support/self-signed-certificate';

const DAY_MS = 86_400_000;

/** The head of a PNG that claims these sides. */
function png(width: number, height: number): Buffer {
  const head = Buffer.from('89504e470d0a1a0a0000000d4948445200000000000000000802000000', 'hex');
  head.writeUInt32BE(width, 16);
  head.writeUInt32BE(height, 20);
  return head;
}

describe('the image inspector', () => {
  const { key, cert } = selfSignedCertificate(
    new Date(Date.now() - DAY_MS),
    new Date(Date.now() + DAY_MS),
  );
  const seen: { url: string; status: number }[] = [];
  let image = png(400, 400);
  let tag = '"one"';
  let failing = false;
  const server = createServer({ key, cert }, (request, response) => {
    const known = request.headers['if-none-match'] === tag;
    const status = failing ? 503 : known ? 304 : 200;
    seen.push({ url: request.url ?? '', status });
    response.writeHead(status, { etag: tag, 'content-type': 'image/png' });
    response.end(status === 200 ? image : undefined);
  });
  const client = createOutboundClient({
    allowCidrs: parseCidrs('127.0.0.0/8'),
    userAgent: 'test',
    ca: cert,
  });
  let base = '';
  let now = Date.now();

  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    base = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  beforeEach(() => {
    seen.length = 0;
    failing = false;
    image = png(400, 400);
    tag = '"one"';
  });
  afterAll(async () => {
    await client.close();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  test('asks once for an image that many items show, and not again while the judgement is fresh', async () => {
    const images = createImageInspector(client, () => now);
    expect(await images.inspect([`${base}/a.png`, `${base}/a.png`])).toEqual(new Map());
    expect(await images.inspect([`${base}/a.png`])).toEqual(new Map());
    expect(seen).toEqual([{ url: '/a.png', status: 200 }]);
  });

  test('asks a server only whether an image changed once the judgement is old', async () => {
    const images = createImageInspector(client, () => now);
    image = png(100, 100);
    expect([...(await images.inspect([`${base}/b.png`])).values()]).toEqual(['wrong_size']);
    now += 11 * 60_000;
    expect([...(await images.inspect([`${base}/b.png`])).values()]).toEqual(['wrong_size']);
    image = png(500, 500);
    tag = '"two"';
    now += 11 * 60_000;
    expect(await images.inspect([`${base}/b.png`])).toEqual(new Map());
    expect(seen.map(({ status }) => status)).toEqual([200, 304, 200]);
  });

  test('keeps the old judgement while a server is not well, and calls an unknown image unreadable', async () => {
    const images = createImageInspector(client, () => now);
    expect(await images.inspect([`${base}/c.png`])).toEqual(new Map());
    failing = true;
    now += 11 * 60_000;
    expect(await images.inspect([`${base}/c.png`, `${base}/d.png`])).toEqual(
      new Map([[`${base}/d.png`, 'unreadable']]),
    );
  });

  test('does not call an image on plain http at all', async () => {
    const images = createImageInspector(client, () => now);
    const url = `${base.replace('https', 'http')}/e.png`;
    expect(await images.inspect([url])).toEqual(new Map([[url, 'not_https']]));
    expect(seen).toEqual([]);
  });
});
