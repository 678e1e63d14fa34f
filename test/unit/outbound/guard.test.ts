import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { parseCidrs } from '../../../src/platform/outbound/addresses';
import { createOutboundClient } from '../../../src/platform/outbound/http-client';
import type { Lookup } from '../../../src/platform/outbound/resolve-host';
import { type MisbehavingServer, startMisbehavingServer } from '../../support/misbehaving-server';

let server: MisbehavingServer;
let sockets = 0;
const countSocket = () => {
  sockets += 1;
};

beforeAll(async () => {
  server = await startMisbehavingServer();
  // Node's own report of each client socket before it connects.
  subscribe('net.client.socket', countSocket);
});

afterAll(async () => {
  unsubscribe('net.client.socket', countSocket);
  await server.close();
});

beforeEach(() => {
  sockets = 0;
});

async function get(
  url: string,
  options: { lookup?: Lookup; allow?: string; trustedHost?: string } = {},
) {
  const client = createOutboundClient({
    allowCidrs: parseCidrs(options.allow ?? ''),
    userAgent: 'test',
    lookup: options.lookup ?? (() => Promise.reject(new Error('no look-up expected'))),
  });
  const result = await client.request({
    method: 'GET',
    url,
    timeoutMs: 2_000,
    ...(options.trustedHost === undefined ? {} : { trustedHost: options.trustedHost }),
  });
  await client.close();
  return result;
}

const REFUSED = { kind: 'failed', code: 'address_not_allowed', sent: 'none' };

describe('literal addresses', () => {
  it.each([
    '127.0.0.1',
    '127.1',
    '0x7f.0.0.1',
    '0x7f000001',
    '2130706433',
    '0177.0.0.1',
    '017700000001',
    '127.0.0.1.',
    '１２７.0.0.1',
    '0',
    '0.0.0.0',
    '10.0.0.1',
    '10.1',
    '0xa.0.0.1',
    '167772161',
    '172.16.0.1',
    '192.168.1.1',
    '192.168.257',
    '169.254.169.254',
    '2852039166',
    '100.100.100.200',
    '168.63.129.16',
    '[::1]',
    '[::]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[::127.0.0.1]',
    '[64:ff9b::7f00:1]',
    '[2002:7f00:1::]',
    '[2001:0:4136:e378:8000:63bf:3fff:fdd2]',
    '[fd00::1]',
    '[fe80::1]',
    '[fec0::1]',
    '[ff02::1]',
  ])('http and https to %s open no socket', async (host) => {
    expect(await get(`http://${host}:${server.port}/hello`)).toMatchObject(REFUSED);
    expect(await get(`https://${host}:${server.port}/hello`)).toMatchObject(REFUSED);
    expect(sockets).toBe(0);
    expect(server.accepted()).toBe(0);
  });
});

describe('names', () => {
  it.each([
    ['a private address', ['10.0.0.1']],
    ['loopback', ['127.0.0.1']],
    ['a public and a private address', ['8.8.8.8', '10.0.0.1']],
    ['a private and a public address', ['127.0.0.1', '8.8.8.8']],
    ['a mapped address', ['::ffff:10.0.0.1']],
    ['the metadata service', ['169.254.169.254']],
  ])('that resolve to %s are not connected to', async (_what, addresses) => {
    const result = await get(`http://receiver.test:${server.port}/hello`, {
      lookup: () => Promise.resolve(addresses),
    });
    expect(result).toMatchObject(REFUSED);
    expect(server.accepted()).toBe(0);
  });

  it('are connected at the checked address, looked up once', async () => {
    const answers = [['127.0.0.1'], ['10.0.0.1']];
    let asked = 0;
    const result = await get(`http://receiver.test:${server.port}/hello`, {
      allow: '127.0.0.1',
      lookup: () => Promise.resolve(answers[asked++] ?? []),
    });
    expect(result).toMatchObject({ kind: 'response', status: 200 });
    expect(asked).toBe(1);
    expect(server.requests.at(-1)).toContain(`host: receiver.test:${server.port}\r\n`);
  });

  it('without an address, or without an answer, fail with nothing sent', async () => {
    const failed = { kind: 'failed', code: 'dns_failed', sent: 'none' };
    const unknown = Object.assign(new Error('unknown'), { code: 'ENOTFOUND' });
    expect(await get('http://a.test/', { lookup: () => Promise.resolve([]) })).toMatchObject(
      failed,
    );
    expect(await get('http://a.test/', { lookup: () => Promise.reject(unknown) })).toMatchObject({
      ...failed,
      message: 'a.test: the host name could not be resolved (ENOTFOUND)',
    });
  });

  it('whose look-up hangs fail at the deadline, with nothing sent', async () => {
    const client = createOutboundClient({
      allowCidrs: [],
      userAgent: 'test',
      lookup: () => new Promise(() => {}),
    });
    const result = await client.request({ method: 'GET', url: 'http://a.test/', timeoutMs: 100 });
    expect(result).toMatchObject({ kind: 'failed', code: 'dns_failed', sent: 'none' });
    expect(client.stats()).toEqual({ origins: 0, connections: 0 });
  });
});

describe('exemptions', () => {
  it('OUTBOUND_ALLOW_CIDRS opens exactly its blocks', async () => {
    const url = server.url('hello');
    expect(await get(url, { allow: '127.0.0.0/8' })).toMatchObject({ kind: 'response' });
    expect(await get(url, { allow: '127.0.0.2' })).toMatchObject(REFUSED);
  });

  it('a trusted host is reached whatever its address', async () => {
    expect(await get(server.url('hello'), { trustedHost: '127.0.0.1' })).toMatchObject({
      kind: 'response',
    });
    expect(
      await get(`http://pos.test:${server.port}/hello`, {
        trustedHost: 'pos.test',
        lookup: () => Promise.resolve(['127.0.0.1']),
      }),
    ).toMatchObject({ kind: 'response' });
  });

  it('trust is for one exact host', async () => {
    for (const trustedHost of ['127.0.0.2', '127.0.0.1:80', '0.0.1', '', 'localhost'])
      expect(await get(server.url('hello'), { trustedHost })).toMatchObject(REFUSED);
  });

  it('a trusted connection never serves an untrusted request', async () => {
    const client = createOutboundClient({ allowCidrs: [], userAgent: 'test' });
    const request = { method: 'GET', url: server.url('hello'), timeoutMs: 2_000 } as const;
    expect(await client.request({ ...request, trustedHost: '127.0.0.1' })).toMatchObject({
      kind: 'response',
    });
    expect(client.stats().connections).toBe(1);
    expect(await client.request(request)).toMatchObject(REFUSED);
    await client.close();
  });
});
