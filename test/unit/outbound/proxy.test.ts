import { parseCidrs } from '../../../src/platform/outbound/addresses';
import { createOutboundClient } from '../../../src/platform/outbound/http-client';
import { parseProxy } from '../../../src/platform/outbound/proxy';
import type { OutboundRequest } from '../../../src/platform/outbound/types';
import { type ConnectProxy, startConnectProxy } from '../../support/connect-proxy';
import { type MisbehavingServer, startMisbehavingServer } from '../../support/misbehaving-server';
import { selfSignedCertificate } from '../../support/self-signed-certificate';

const DAY = 86_400_000;
const certificate = selfSignedCertificate(new Date(Date.now() - DAY), new Date(Date.now() + DAY));
const CREDENTIALS = 'gate:s3cret word';

let plain: MisbehavingServer;
let secure: MisbehavingServer;
let proxy: ConnectProxy;

beforeAll(async () => {
  plain = await startMisbehavingServer();
  secure = await startMisbehavingServer({ tls: certificate });
});
beforeEach(async () => {
  proxy = await startConnectProxy(CREDENTIALS);
});
afterEach(() => proxy.close());
afterAll(async () => {
  await Promise.all([plain.close(), secure.close()]);
});

interface Way {
  readonly via?: string;
  readonly addresses?: readonly string[];
  readonly allow?: string;
}

function clientThrough({ via, addresses = ['127.0.0.1'], allow = '127.0.0.0/8' }: Way = {}) {
  return createOutboundClient({
    allowCidrs: parseCidrs(allow),
    userAgent: 'test',
    lookup: () => Promise.resolve(addresses),
    ca: certificate.cert,
    proxy: parseProxy(via ?? `http://gate:s3cret%20word@127.0.0.1:${proxy.port}`),
  });
}

async function get(url: string, way: Way = {}, more: Partial<OutboundRequest> = {}) {
  const client = clientThrough(way);
  const result = await client.request({ method: 'GET', url, timeoutMs: 5_000, ...more });
  await client.close();
  return result;
}

const ANSWERED = { kind: 'response', status: 200, body: Buffer.from('hello') };

describe('a request', () => {
  it('over http goes through a tunnel to the address that was checked', async () => {
    expect(await get(`http://plain.test:${plain.port}/hello`)).toMatchObject(ANSWERED);
    expect(proxy.asked).toEqual([`127.0.0.1:${plain.port}`]);
    expect(proxy.others).toEqual([]);
  });

  it('over https too, and the certificate is checked for the name in the URL', async () => {
    expect(await get(`https://localhost:${secure.port}/hello`)).toMatchObject(ANSWERED);
    expect(await get(`https://other.test:${secure.port}/hello`)).toMatchObject({
      code: 'tls_failed',
      sent: 'none',
    });
    expect(proxy.asked).toEqual(Array(2).fill(`127.0.0.1:${secure.port}`));
  });

  it('of a kept connection asks for one tunnel', async () => {
    const client = clientThrough();
    const url = plain.url('hello');
    for (let count = 0; count < 3; count += 1) {
      expect(await client.request({ method: 'GET', url, timeoutMs: 5_000 })).toMatchObject(
        ANSWERED,
      );
    }
    await client.close();
    expect(proxy.asked).toHaveLength(1);
  });

  it('whose peer has several addresses takes the first that the proxy can atCheckpoint', async () => {
    proxy.refuse(`127.0.0.9:${plain.port}`);
    const way = { addresses: ['127.0.0.9', '127.0.0.1'] };
    expect(await get(`http://plain.test:${plain.port}/hello`, way)).toMatchObject(ANSWERED);
    expect(proxy.asked).toEqual([`127.0.0.9:${plain.port}`, `127.0.0.1:${plain.port}`]);
  });

  it('writes a v6 address in brackets', async () => {
    const allow = '::1';
    proxy.behave('refuse');
    await get('http://[::1]:9/hello', { allow });
    expect(proxy.asked).toEqual(['[::1]:9']);
  });
});

describe('what the rules forbid', () => {
  it.each([
    ['an address', 'http://127.0.0.1/hello', []],
    ['a name', 'http://inside.test/hello', ['127.0.0.1']],
    ['a name with one bad address', 'https://inside.test/hello', ['93.184.216.34', '10.0.0.1']],
    ['the address of a cloud’s credentials', 'http://169.254.169.254/hello', []],
  ])('%s is refused before the proxy hears of it', async (_what, url, addresses) => {
    expect(await get(url, { addresses, allow: '' })).toMatchObject({
      kind: 'failed',
      code: 'address_not_allowed',
      sent: 'none',
    });
    expect(proxy.asked).toEqual([]);
  });

  it('is allowed for the host that the operator configured', async () => {
    const more = { trustedHost: '127.0.0.1' };
    expect(await get(plain.url('hello'), { allow: '' }, more)).toMatchObject(ANSWERED);
    expect(proxy.asked).toHaveLength(1);
  });
});

describe('a proxy that', () => {
  it.each([
    ['refuses', 'refuse', /\(proxy 502\)$/],
    ['hangs up', 'hang-up', /\(proxy ECONNRESET\)$/],
    ['does not speak HTTP', 'garbage', /\(proxy HPE_\w+\)$/],
    ['answers without end', 'endless-head', /\(proxy HPE_HEADER_OVERFLOW\)$/],
  ] as const)('%s fails the request, and nothing is sent', async (_what, manner, message) => {
    proxy.behave(manner);
    const before = plain.requests.length;
    expect(await get(plain.url('hello'))).toMatchObject({
      kind: 'failed',
      code: 'connect_failed',
      sent: 'none',
      message: expect.stringMatching(message),
    });
    expect(plain.requests).toHaveLength(before);
  });

  it('hangs costs the deadline of the request and no more', async () => {
    proxy.behave('hang');
    expect(await get(plain.url('hello'), {}, { timeoutMs: 200 })).toMatchObject({
      code: 'connect_timeout',
      sent: 'none',
    });
  });

  it('is away fails the request', async () => {
    const gone = await startConnectProxy();
    await gone.close();
    const via = `http://127.0.0.1:${gone.port}`;
    expect(await get(plain.url('hello'), { via })).toMatchObject({
      code: 'connect_failed',
      message: expect.stringMatching(/\(proxy ECONNREFUSED\)$/),
    });
  });

  it.each(['', 'gate@', 'gate:wrong@'])('does not accept the login %j answers 407', async (who) => {
    const via = `http://${who}127.0.0.1:${proxy.port}`;
    const result = await get(plain.url('hello'), { via });
    expect(result).toMatchObject({
      code: 'connect_failed',
      sent: 'none',
      message: `127.0.0.1:${plain.port}: the connection could not be made (proxy 407)`,
    });
  });
});

it.each([
  'proxy.test:3128',
  'https://proxy.test',
  'socks5://proxy.test',
  'http://proxy.test/path',
  'http://proxy.test/?q',
  'http://a%zz:b@proxy.test',
])('the setting %j is refused without repeating it', (text) => {
  const refuse = () => parseProxy(text);
  expect(refuse).toThrow(/^must /);
  expect(refuse).not.toThrow(/proxy\.test|zz/);
});
