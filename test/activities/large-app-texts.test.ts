import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { HANDED_OUT_MS } from '../../src/platform/observe/freeze-watch';
import { createDocumentStore } from '../../src/uploads/documents';
import type { Document } from '../../src/uploads/sql/documents';
import { replaceApp } from '../support/stand-in-app';
import { largeAppBPayload } from '../support/large-menu';
import { delayDuring } from '../support/loop-delay';
import type { Shop } from '../support/shop';
import { startSystem, type System } from '../support/system';
import { type ClaimedUpload, createUploadSteps, type UploadSteps } from '../support/upload-steps';

let system: System;
let steps: UploadSteps;
/** An app that, unlike the simulated ones, does not parse what it gets, which would hold the event loop too. */
let app: Server;
let answer: (url: string, method: string) => readonly [status: number, body: string | Buffer];

beforeAll(async () => {
  system = await startSystem({ env: { APP_D: 'rappi' } });
  steps = createUploadSteps(system);
  app = createServer((request, response) => {
    request.resume().on('end', () => {
      const { url = '', method = '' } = request;
      const token = { access_token: 'token', token_type: 'bearer', expires_in: 3_600 };
      const isToken = url.includes('oauth') || url.includes('login');
      const [status, body] = isToken ? [200, JSON.stringify(token)] : answer(url, method);
      response.writeHead(status, { 'content-type': 'application/json' }).end(body);
    });
  }).listen(0, '127.0.0.1');
  await once(app, 'listening');
});
afterAll(async () => {
  app.close();
  await steps.close();
  await system.stop();
});

async function openShop(name: 'app-b' | 'app-d'): Promise<Shop> {
  const shop = await system.openShop(name);
  await replaceApp(system.sql, shop, app);
  return shop;
}

/** Does everything before the push of this payload. */
async function prepare(shop: Shop, version: number, document: Document): Promise<ClaimedUpload> {
  const upload = await steps.prepare(shop, version);
  const { sha256, contentGzip, size } = document;
  await system.sql`
    insert into document (sha256, content_gzip, size)
    values (${sha256}, ${contentGzip}::bytea, ${size}::int) on conflict do nothing`;
  await system.sql`
    update menu_upload set payload_sha256 = ${sha256} where upload_id = ${upload.uploadId}`;
  return upload;
}

async function pack(value: object): Promise<Document> {
  const document = await createDocumentStore(system.sql).pack(Buffer.from(JSON.stringify(value)));
  expect(document.size).toBeGreaterThan(11_000_000);
  // That may have held the event loop for so long that the process counts as frozen.
  await delay(HANDED_OUT_MS);
  return document;
}

/** In the event loop each takes 80 ms at least on an idle machine, and 150 with the digest. */
const LONGEST_DELAY_MS = 60;

/** How long the event loop is held. Other processes sometimes block this one too, but not every time. */
async function holdOf(work: (tries: number) => Promise<() => Promise<unknown>>): Promise<number> {
  let longest = Number.POSITIVE_INFINITY;
  for (let tries = 0; tries < 10 && longest >= LONGEST_DELAY_MS; tries += 1) {
    longest = Math.min(longest, await delayDuring(await work(tries)));
  }
  return longest;
}

test('a menu of 12 MB that App B refuses does not hold the event loop', async () => {
  const shop = await openShop('app-b');
  const document = await pack(largeAppBPayload());
  const error = { code: 'invalid_price', path: '/items/39999/price', message: 'is too high' };
  answer = () => [422, JSON.stringify({ errors: [error] })];
  let upload: ClaimedUpload | undefined;
  const longest = await holdOf(async (tries) => {
    const next = (upload = await prepare(shop, tries, document));
    return () => steps.pushMenu(next);
  });
  expect(upload && (await steps.outcome(upload))).toEqual({
    state: 'failed',
    messages: [
      'Could not upload menu to delivery system.',
      'invalid_price /items/39999/price (I39999): is too high',
    ],
  });
  expect(longest).toBeLessThan(LONGEST_DELAY_MS);
});
