import { Registry } from 'prom-client';
import { createBounds } from '../../src/platform/admission/bound-metrics';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { removeExpiredImageVerdicts } from '../../src/delivery-apps/images/image-verdicts';
import { parseCidrs } from '../../src/platform/outbound/addresses';
import { createOutboundClient } from '../../src/platform/outbound/http-client';
import { createImageInspector } from '../../src/delivery-apps/images/image-inspector';
import { collectGarbage } from '../support/collect-garbage';
import { createTestDatabase, type TestDatabase } from '../support/database';
import { selfSignedCertificate } from '../support/self-signed-certificate';
import { until } from '../support/until';

const DAY_MS = 86_400_000;
const { key, cert } = selfSignedCertificate(
  new Date(Date.now() - DAY_MS),
  new Date(Date.now() + DAY_MS),
);
const NEVER = new AbortController().signal;

/** The head of a PNG that claims these sides. */
function png(width: number, height: number): Buffer {
  const head = Buffer.from('89504e470d0a1a0a0000000d4948445200000000000000000802000000', 'hex');
  head.writeUInt32BE(width, 16);
  head.writeUInt32BE(height, 20);
  return head;
}

interface ImageHost {
  readonly url: string;
  /** Paths that were asked for, in order. */
  readonly seen: string[];
  /** The most requests that were open at once. */
  most(): number;
  open(): number;
  close(): Promise<void>;
}

/** `/WIDTHxHEIGHT…` is such a PNG, `/hang…` never answers, `/busy…` is a 503, anything else is not there. */
async function startImageHost(): Promise<ImageHost> {
  const seen: string[] = [];
  let open = 0;
  let most = 0;
  const server: Server = createServer({ key, cert }, (request, response) => {
    seen.push(request.url ?? '');
    most = Math.max(most, ++open);
    response.on('close', () => (open -= 1));
    const size = /^\/(\d+)x(\d+)/.exec(request.url ?? '');
    if (size) setTimeout(() => response.end(png(Number(size[1]), Number(size[2]))), 5);
    else if (request.url?.startsWith('/busy')) response.writeHead(503).end();
    else if (!request.url?.startsWith('/hang')) response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `https://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    most: () => most,
    open: () => open,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const http = createOutboundClient({
  allowCidrs: parseCidrs('127.0.0.0/8'),
  userAgent: 'test',
  ca: cert,
});
const registry = new Registry();
const bounds = createBounds(registry);
let database: TestDatabase;
let hosts: ImageHost[];

beforeAll(async () => {
  database = await createTestDatabase();
});
beforeEach(async () => {
  hosts = [await startImageHost(), await startImageHost()];
  await database.sql`truncate image_verdict`;
});
afterEach(() => Promise.all(hosts.map((each) => each.close())));
afterAll(async () => {
  await http.close();
  await database.drop();
});

function host(nth = 0): ImageHost {
  const found = hosts[nth];
  if (!found) throw new Error(`no host ${nth}`);
  return found;
}

function inspector(budgetMs = 30_000) {
  return createImageInspector({ http, sql: database.sql, bounds, budgetMs });
}

async function metric(series: string): Promise<number> {
  const line = (await registry.metrics()).split('\n').find((each) => each.startsWith(series));
  return Number(line?.split(' ').at(-1) ?? 0);
}

function age(ms: number) {
  return database.sql`
    update image_verdict set expires_at = expires_at - ${ms}::int * interval '1 ms'`;
}

test('asks once for an image that many items show, and every worker remembers the verdict for a day', async () => {
  const url = `${host().url}/400x400`;
  expect(await inspector().inspect([url, url], NEVER)).toEqual(new Map());
  await age(DAY_MS - 10_000);
  expect(await inspector().inspect([url], NEVER)).toEqual(new Map());
  expect(host().seen).toEqual(['/400x400']);
  await age(10_000);
  await inspector().inspect([url], NEVER);
  expect(host().seen).toHaveLength(2);
});

test('remembers failures too, for ten minutes', async () => {
  const urls = ['/gone', '/busy'].map((path) => `${host().url}${path}`);
  const unreadable = new Map(urls.map((url) => [url, 'unreadable']));
  expect(await inspector().inspect(urls, NEVER)).toEqual(unreadable);
  // A server that is not well is asked twice.
  expect(host().seen.toSorted()).toEqual(['/busy', '/busy', '/gone']);
  expect(await inspector().inspect(urls, NEVER)).toEqual(unreadable);
  await age(10 * 60_000 - 10_000);
  expect(await inspector().inspect(urls, NEVER)).toEqual(unreadable);
  expect(host().seen).toHaveLength(3);
  await age(10_000);
  await inspector().inspect(urls, NEVER);
  expect(host().seen).toHaveLength(6);
});

test('images that the budget did not reach are not checked, and not stored', async () => {
  const hanging = Array.from({ length: 12 }, (_, n) => `${host().url}/hang${n}`);
  const good = `${host(1).url}/400x400`;
  const bad = `${host(1).url}/100x100`;
  const startedAt = Date.now();
  const verdicts = await inspector(700).inspect([...hanging, good, bad], NEVER);
  expect(Date.now() - startedAt).toBeLessThan(5_000);
  expect(verdicts).toEqual(
    new Map([...hanging.map((url) => [url, 'not_checked'] as const), [bad, 'wrong_size']]),
  );
  expect(await database.sql`select verdict from image_verdict order by 1`).toEqual([
    { verdict: 'good' },
    { verdict: 'wrong_size' },
  ]);
});

test('images that never answer take no more than the budget, although garbage is collected meanwhile', async () => {
  const collecting = setInterval(collectGarbage, 50);
  const startedAt = Date.now();
  const verdicts = await inspector(1_000).inspect([`${host().url}/hang`], NEVER);
  clearInterval(collecting);
  expect([...verdicts.values()]).toEqual(['not_checked']);
  expect(Date.now() - startedAt).toBeLessThan(5_000);
});

test.each([
  [1, 4],
  [6, 16],
])('with %d hanging hosts it fetches %d images at once', async (count, atOnce) => {
  while (hosts.length < count) hosts.push(await startImageHost());
  const asked = hosts.slice(0, count);
  const urls = asked.flatMap(({ url }) => Array.from({ length: 20 }, (_, n) => `${url}/hang${n}`));
  const inspecting = inspector(1_500).inspect(urls, NEVER);
  await delay(1_000);
  expect(asked.reduce((sum, each) => sum + each.open(), 0)).toBe(atOnce);
  expect(Math.max(...asked.map((each) => each.most()))).toBeLessThanOrEqual(4);
  await inspecting;
});

test('reports how much of the budget was used, and how often it was not enough', async () => {
  const hits = 'bound_hits_total{bound="image_seconds"}';
  const before = await metric(hits);
  await inspector(2_000).inspect([`${host().url}/400x401`], NEVER);
  expect(await metric(hits)).toBe(before);
  await inspector(300).inspect([`${host().url}/hang`], NEVER);
  expect(await metric(hits)).toBe(before + 1);
});

test('a hanging host takes only its own permits: all images of another host are judged', async () => {
  const hanging = Array.from({ length: 100 }, (_, n) => `${host().url}/hang${n}`);
  const others = Array.from({ length: 100 }, (_, n) => `${host(1).url}/400x${400 + n}`);
  const verdicts = await inspector(3_000).inspect([...hanging, ...others], NEVER);
  expect([...verdicts.keys()]).toEqual(hanging);
  expect(host(1).seen).toHaveLength(100);
});

test('when aborted, it ends at once, closes its connections and stores its verdicts', async () => {
  const giveUp = new AbortController();
  const urls = [`${host().url}/400x400`, ...[1, 2, 3].map((n) => `${host().url}/hang${n}`)];
  const inspecting = inspector()
    .inspect(urls, giveUp.signal)
    .catch((error: unknown) => error);
  await until(async () => host().seen.length >= urls.length);
  await delay(100);
  giveUp.abort(new Error('given up'));
  expect(await inspecting).toEqual(new Error('given up'));
  await until(async () => host().open() <= 0);
  expect(await database.sql`select verdict from image_verdict`).toEqual([{ verdict: 'good' }]);
});

test('does not call an image on plain http at all', async () => {
  const url = `${host().url.replace('https', 'http')}/400x400`;
  expect(await inspector().inspect([url], NEVER)).toEqual(new Map([[url, 'not_https']]));
  expect(host().seen).toEqual([]);
});

test('expired verdicts are removed', async () => {
  await inspector().inspect([`${host().url}/400x400`, `${host().url}/gone`], NEVER);
  await age(10 * 60_000);
  expect(await removeExpiredImageVerdicts(database.sql, 10)).toBe(1);
  expect(await database.sql`select verdict from image_verdict`).toEqual([{ verdict: 'good' }]);
});
