import type { AddressInfo } from 'node:net';
import { createSecureContext, createServer } from 'node:tls';
import { parseCidrs } from '../../../src/platform/outbound/addresses';
import { createOutboundClient } from '../../../src/platform/outbound/http-client';
import { type MisbehavingServer, startMisbehavingServer } from '../../support/misbehaving-server';
import { selfSignedCertificate, strangersCertificate } from '../../support/self-signed-certificate';

const DAY = 86_400_000;
const now = Date.now();
const valid = selfSignedCertificate(new Date(now - DAY), new Date(now + DAY));
const strangers = strangersCertificate(new Date(now - DAY), new Date(now + DAY));
const expired = selfSignedCertificate(new Date(now - 2 * DAY), new Date(now - DAY));
const servers: MisbehavingServer[] = [];

afterAll(async () => {
  await Promise.all(servers.map((server) => server.close()));
});

async function startTls(tls = valid): Promise<MisbehavingServer> {
  const server = await startMisbehavingServer({ tls });
  servers.push(server);
  return server;
}

async function get(url: string, ca?: string, timeoutMs = 2_000) {
  const client = createOutboundClient({
    allowCidrs: parseCidrs('127.0.0.0/8'),
    userAgent: 'test',
    lookup: () => Promise.resolve(['127.0.0.1']),
    ...(ca === undefined ? {} : { ca }),
  });
  const result = await client.request({ method: 'GET', url, timeoutMs });
  await client.close();
  return result;
}

it('a certificate that is trusted and in date is accepted, for an address and for a name', async () => {
  const server = await startTls();
  const answered = { kind: 'response', status: 200 };
  expect(await get(server.url('hello'), valid.cert)).toMatchObject(answered);
  expect(await get(`https://localhost:${server.port}/hello`, valid.cert)).toMatchObject(answered);
});

it('interim answers are skipped over TLS too', async () => {
  const server = await startTls();
  expect(await get(server.url('every-interim-then-answer'), valid.cert)).toMatchObject({
    kind: 'response',
    status: 200,
    body: Buffer.from('hello'),
  });
});

it.each([
  ['expired', expired, expired.cert, 'CERT_HAS_EXPIRED', 'certificate has expired'],
  ['made by itself', valid, undefined, 'DEPTH_ZERO_SELF_SIGNED_CERT', 'self-signed'],
  [
    'sent without the one that signed it',
    strangers,
    valid.cert,
    'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
    'the chain is incomplete',
  ],
])('a certificate that is %s fails, and nothing is sent', async (_what, tls, ca, code, detail) => {
  const server = await startTls(tls);
  expect(await get(server.url('hello'), ca)).toMatchObject({
    kind: 'failed',
    code: 'tls_failed',
    sent: 'none',
    detail,
    message: `127.0.0.1:${server.port}: TLS failed (${code})`,
  });
  expect(server.requests).toEqual([]);
});

it('a certificate for another name fails', async () => {
  const server = await startTls();
  expect(await get(`https://other.test:${server.port}/hello`, valid.cert)).toMatchObject({
    code: 'tls_failed',
    sent: 'none',
    message: `other.test:${server.port}: TLS failed (ERR_TLS_CERT_ALTNAME_INVALID)`,
  });
});

it('a server without TLS fails, and nothing is sent', async () => {
  const server = await startMisbehavingServer();
  servers.push(server);
  const result = await get(`https://127.0.0.1:${server.port}/hello`, undefined, 300);
  expect(result).toMatchObject({ kind: 'failed', sent: 'none' });
  expect(server.requests).toEqual([]);
});

it('a server that never answers the handshake fails at the deadline, with nothing sent', async () => {
  const server = await startMisbehavingServer({ onAccept: 'never-read' });
  servers.push(server);
  expect(await get(`https://127.0.0.1:${server.port}/hello`, undefined, 150)).toMatchObject({
    code: 'connect_timeout',
    sent: 'none',
  });
});

it('a server that hangs up in the handshake fails at once, with nothing sent', async () => {
  const server = await startMisbehavingServer({ onAccept: 'reset' });
  servers.push(server);
  const result = await get(`https://127.0.0.1:${server.port}/hello`);
  expect(result).toMatchObject({ kind: 'failed', sent: 'none' });
  expect(result.durationMs).toBeLessThan(3_000);
});

it('a kept TLS connection is used again', async () => {
  const server = await startTls();
  const client = createOutboundClient({
    allowCidrs: parseCidrs('127.0.0.0/8'),
    userAgent: 'test',
    ca: valid.cert,
  });
  const onSent = jest.fn();
  for (let i = 0; i < 5; i += 1) {
    const request = { method: 'POST', url: server.url('no-content'), body: '{}' } as const;
    expect(await client.request({ ...request, timeoutMs: 2_000, onSent })).toMatchObject({
      status: 204,
    });
  }
  expect(server.accepted()).toBe(1);
  expect(onSent).toHaveBeenCalledTimes(5);
  await client.close();
});

it('a certificate for another name is said to be one, and the name goes out without its dot', async () => {
  const names: string[] = [];
  const context = createSecureContext(valid);
  const server = createServer(
    {
      SNICallback(name, done) {
        names.push(name);
        done(null, context);
      },
    },
    () => {},
  );
  server.on('tlsClientError', () => {});
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  for (const host of ['stock.example.test', 'stock.example.test.']) {
    expect(await get(`https://${host}:${port}/`, valid.cert)).toMatchObject({
      code: 'tls_failed',
      detail: 'the certificate is for another name',
    });
  }
  // RFC 6066 §3: the host name, without a trailing dot.
  expect(names).toEqual(['stock.example.test', 'stock.example.test']);
  expect(await get(`https://localhost.:${port}/`, valid.cert, 300)).toMatchObject({
    kind: 'failed',
    code: 'timeout',
    sent: 'some',
  });
  server.close();
});
