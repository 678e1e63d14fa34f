import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RunningApi } from '../../src/run/run-api';
import { selfSignedCertificate } from '../support/self-signed-certificate';
import type { Shop } from '../support/shop';
import { prepareSystem, stopSystems, type System } from '../support/system';
import { versionedMenu } from '../support/versioned-menu';
import { recordAnswer } from './record-answer';

let system: System;
let api: RunningApi;
let images: ImageHost;

beforeAll(async () => {
  images = await startImageHost();
  system = await prepareSystem({ env: { IMAGE_POLICY: 'refuse' } });
  api = await system.startApi();
  // A separate process, because Node reads further authorities only at startup.
  process.env['NODE_EXTRA_CA_CERTS'] = images.certificate;
  await system.startChild({ role: 'worker' });
});
afterAll(async () => {
  await stopSystems();
  await images.close();
});

interface ImageHost {
  readonly url: string;
  /** The file with the authority that vouches for it. */
  readonly certificate: string;
  close(): Promise<void>;
}

/** `/WIDTHxHEIGHT.png`, `/large.png`, `/text.png`; anything else is not there. */
async function startImageHost(): Promise<ImageHost> {
  const directory = await mkdtemp(join(tmpdir(), 'pos-integrations-images-'));
  const certificate = join(directory, 'ca.pem');
  const day = 86_400_000;
  const { key, cert } = selfSignedCertificate(
    new Date(Date.now() - day),
    new Date(Date.now() + day),
  );
  await writeFile(certificate, cert);
  const server: Server = createServer({ key, cert }, (request, response) => {
    const size = /^\/(\d+)x(\d+)\.png$/.exec(request.url ?? '');
    if (size) return response.end(pngHead(Number(size[1]), Number(size[2])));
    if (request.url === '/text.png') return response.end('no image at all');
    if (request.url === '/large.png') {
      return response.end(Buffer.concat([pngHead(500, 500), Buffer.alloc(10_500_000)]));
    }
    return response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `https://127.0.0.1:${(server.address() as AddressInfo).port}`,
    certificate,
    async close() {
      delete process.env['NODE_EXTRA_CA_CERTS'];
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await rm(directory, { recursive: true });
    },
  };
}

function pngHead(width: number, height: number): Buffer {
  const head = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');
  const size = Buffer.alloc(8);
  size.writeUInt32BE(width, 0);
  size.writeUInt32BE(height, 4);
  return Buffer.concat([head, size, Buffer.from([8, 2, 0, 0, 0]), randomBytes(4)]);
}

async function uploadWithImage(shop: Shop, image_url: string) {
  const { items, ...menu } = versionedMenu(1);
  const response = await fetch(`${api.url}/api/v1/menus/upload`, {
    method: 'POST',
    headers: { authorization: `Bearer ${system.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      ...menu,
      store_id: shop.storeId,
      integration_id: shop.integrationId,
      items: items.map((item) => (item.external_id === 'I1' ? { ...item, image_url } : item)),
    }),
  });
  const { status, headers, url } = response;
  const text = await response.text();
  recordAnswer({ method: 'POST', url, status, headers, text });
  return { status, json: JSON.parse(text) };
}

test.each([
  ['http://images.example/a.png', 'The item image must be served over SSL: I1'],
  ['/text.png', 'The item image must be a JPEG, PNG or GIF: I1'],
  ['/large.png', 'The item image must be under 10 MB: I1'],
  ['/319x500.png', 'The item image must be between 320 and 1144 pixels wide and high: I1'],
  ['/500x1145.png', 'The item image must be between 320 and 1144 pixels wide and high: I1'],
  ['/gone.png', 'The item image could not be read: I1'],
])('under IMAGE_POLICY=refuse the image %s refuses the menu', async (image, sentence) => {
  const shop = await system.openShop('app-a');
  const answer = await uploadWithImage(shop, new URL(image, images.url).href);
  expect(answer).toEqual({ status: 409, json: { message: [sentence], data: null } });
  expect(await shop.shown()).toBeUndefined();
});

test('an image within the rules goes through', async () => {
  const shop = await system.openShop('app-a');
  const answer = await uploadWithImage(shop, new URL('/320x1144.png', images.url).href);
  expect(answer).toEqual({
    status: 200,
    json: { message: 'Menu successfully uploaded.', data: null },
  });
});
