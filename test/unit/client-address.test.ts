import { createAddressOf, networkOf } from '../../src/http/client-address';
import { parseCidrs } from '../../src/platform/outbound/addresses';

function addressOf(trusted: string, peer: string | undefined, forwarded?: string | string[]) {
  const headers = forwarded === undefined ? {} : { 'x-forwarded-for': forwarded };
  // In Node's form: only these two are used.
  const request = { headers, socket: { remoteAddress: peer } };
  return createAddressOf(parseCidrs(trusted))(request as never);
}

test('a peer that is not a trusted proxy is the client, whatever it sends', () => {
  expect(addressOf('', '192.0.2.1', '203.0.113.7')).toBe('192.0.2.1');
  expect(addressOf('10.0.0.0/8', '192.0.2.1', '203.0.113.7')).toBe('192.0.2.1');
  expect(addressOf('10.0.0.0/8', undefined, '203.0.113.7')).toBe('');
});

test.each([
  ['one proxy', '10.0.0.1', '203.0.113.7', '203.0.113.7'],
  ['a chain of them', '10.0.0.1', '203.0.113.7, 10.0.0.3,10.0.0.2', '203.0.113.7'],
  ['what a client claims further left', '10.0.0.1', '1.1.1.1, 203.0.113.7', '203.0.113.7'],
  ['nonsense further left', '10.0.0.1', 'zzz, 203.0.113.7', '203.0.113.7'],
  ['a peer on a socket of both families', '::ffff:10.0.0.1', '203.0.113.7', '203.0.113.7'],
  ['a mapped address in the header', '10.0.0.1', '::ffff:203.0.113.7', '203.0.113.7'],
  ['v6 in another spelling', '10.0.0.1', '2001:DB8:0::7', '2001:db8::7'],
  ['a proxy that speaks v6', 'fd00::1', '2001:db8::7', '2001:db8::7'],
])('behind %s the rightmost address that is not a trusted proxy counts', (_, peer, header, is) => {
  expect(addressOf('10.0.0.0/8,fd00::/8', peer, header)).toBe(is);
});

test.each([
  ['203.0.113.7', '203.0.113.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
  ['2001:db8::7', '2001:db8:0:0'],
  ['', ''],
])('limits count %p with its network', (address, network) => {
  expect(networkOf(address)).toBe(network);
});

test('the header may come in several lines', () => {
  expect(addressOf('10.0.0.0/8', '10.0.0.1', ['1.1.1.1', '203.0.113.7', '10.0.0.2'])).toBe(
    '203.0.113.7',
  );
});

test.each([
  undefined,
  '',
  ',',
  'unknown',
  '203.0.113.7, ',
  '203.0.113.7:443',
  '[2001:db8::7]',
  '010.1.1.1',
  '1.1',
  '0x7f.0.0.1',
  '1.1.1.1.1',
  '10.0.0.2',
  '10.0.0.2, 10.0.0.3',
])('the peer counts if the header is unreadable or names no other client: %j', (header) => {
  expect(addressOf('10.0.0.0/8', '10.0.0.1', header)).toBe('10.0.0.1');
});
