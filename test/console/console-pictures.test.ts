import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createPictureLink, type PictureLink } from '../../src/console/picture-links';
import { createConfiguredSecretBox } from '../../src/run/configured-secrets';
import { startTestApi, type TestApi } from '../support/api';
import { boundOf } from '../support/bounds';
import { until } from '../support/until';
import { type Visitor, visit } from './visitor';

const PNG = Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.alloc(100, 1)]);

let api: TestApi;
let server: Server;
let origin: string;
let visitor: Visitor;
let link: PictureLink;
/** Those that the server has not answered yet. */
let asked: ServerResponse[] = [];

beforeAll(async () => {
  server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '', 'http://host');
    if (pathname === '/hangs') asked.push(response);
    else if (pathname === '/picture') response.setHeader('content-type', 'text/html').end(PNG);
    else if (pathname === '/svg') response.setHeader('content-type', 'image/png').end('<svg/>');
    else response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  api = await startTestApi({ OUTBOUND_ALLOW_CIDRS: '127.0.0.1/32' });
  visitor = await visit(api.url, (await api.user()).token);
  link = createPictureLink(createConfiguredSecretBox(api.config));
});

afterAll(async () => {
  await api.stop();
  server.closeAllConnections();
  await new Promise((resolve) => {
    server.close(resolve);
  });
});

test('a picture has the type of its bytes, and can do nothing', async () => {
  const { status, headers } = await visitor.get(link(`${origin}/picture`));
  expect(status).toBe(200);
  expect(headers.get('content-type')).toBe('image/png');
  expect(headers.get('content-length')).toBe(String(PNG.length));
  expect(headers.get('content-security-policy')).toBe("sandbox; default-src 'none'");
  expect(headers.get('x-content-type-options')).toBe('nosniff');
  expect(headers.get('cache-control')).toMatch(/^private, max-age=\d+$/);
});

test('without a session nothing is fetched', async () => {
  const path = link(`${origin}/picture`);
  const { status, headers } = await fetch(`${api.url}${path}`, { redirect: 'manual' });
  expect(status).toBe(303);
  expect(headers.get('location')).toContain('/console/sign-in');
});

test('only links that a page has are taken', async () => {
  const good = new URL(link(`${origin}/picture`), api.url);
  const other = new URL(link(`${origin}/other`), api.url);
  const { searchParams } = good;
  for (const query of [
    {},
    { url: `${origin}/picture` },
    { url: `${origin}/other`, signature: searchParams.get('signature') ?? '' },
    { url: `${origin}/picture`, signature: other.searchParams.get('signature') ?? '' },
    { url: `${origin}/picture`, signature: '' },
    { url: `${origin}/picture`, signature: `${searchParams.get('signature')}A` },
  ]) {
    const { status } = await visitor.get(`/console/pictures?${new URLSearchParams(query)}`);
    expect([query, status]).toEqual([query, 404]);
  }
});

test('what is no picture, or cannot be reached, is not shown', async () => {
  for (const [url, expected] of [
    [`${origin}/svg`, 502],
    [`${origin}/gone`, 404],
    ['http://127.0.0.2/picture', 502],
    ['http://10.1.2.3/picture', 502],
    ['file:///etc/passwd', 404],
    ['not a url', 404],
  ] as const) {
    const { status, text, headers } = await visitor.get(link(url));
    expect([url, status]).toEqual([url, expected]);
    expect(text).not.toContain('<svg');
    expect(headers.get('content-security-policy') ?? 'sandbox').toContain('sandbox');
  }
});

test('four of a host are fetched at once, and pages do not wait for them', async () => {
  asked = [];
  const pictures = Array.from({ length: 6 }, (_, n) => visitor.get(link(`${origin}/hangs?${n}`)));
  await until(() => asked.length === 4);
  expect((await boundOf(api, 'pictures_of_a_user')).used).toBe(6);
  expect((await boundOf(api, 'pictures_of_a_host')).used).toBe(6);
  expect((await visitor.get('/console/stores')).status).toBe(200);
  expect(asked).toHaveLength(4);
  for (const response of asked.splice(0)) response.end(PNG);
  await until(() => asked.length === 2);
  for (const response of asked) response.end(PNG);
  const statuses = (await Promise.all(pictures)).map(({ status }) => status);
  expect(statuses).toEqual([200, 200, 200, 200, 200, 200]);
  expect((await boundOf(api, 'body_memory')).used).toBe(0);
});
