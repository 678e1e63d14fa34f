import {
  isAllowedAddress,
  isPublicAddress,
  parseCidrs,
} from '../../../src/platform/outbound/addresses';

describe('isPublicAddress', () => {
  it.each([
    '8.8.8.8',
    '1.1.1.1',
    '172.15.255.255',
    '172.32.0.1',
    '100.63.255.255',
    '100.128.0.1',
    '168.63.129.15',
    '2606:4700:4700::1111',
    '2a00:1450:4001:82a::200e',
  ])('accepts %s, which is public', (address) => {
    expect(isPublicAddress(address)).toBe(true);
  });

  it.each([
    ['this network', ['0.0.0.0', '0.1.2.3']],
    ['loopback', ['127.0.0.1', '127.255.255.254', '::1']],
    [
      'private networks',
      ['10.0.0.1', '172.16.0.1', '172.31.255.255', '192.168.1.1', 'fd00::1', 'fd00:ec2::254'],
    ],
    [
      'link-local, where clouds keep their metadata',
      ['169.254.169.254', 'fe80::1', 'fe80::1%eth0'],
    ],
    ['shared address space', ['100.64.0.1', '100.100.100.200', '100.127.255.255']],
    ['the Azure wire server', ['168.63.129.16']],
    [
      'documentation, benchmarks, protocol assignments',
      [
        '192.0.2.1',
        '198.51.100.1',
        '203.0.113.1',
        '198.18.0.1',
        '198.19.255.255',
        '192.0.0.8',
        '192.88.99.1',
        '2001:db8::1',
        '3fff::1',
      ],
    ],
    [
      'multicast, reserved, broadcast',
      ['224.0.0.1', '239.255.255.255', '240.0.0.1', '255.255.255.255', 'ff02::1'],
    ],
    [
      'v4 inside v6: mapped, compatible, translated, 6to4, Teredo',
      [
        '::ffff:127.0.0.1',
        '::ffff:8.8.8.8',
        '::ffff:7f00:1',
        '::127.0.0.1',
        '::8.8.8.8',
        '::ffff:0:7f00:1',
        '64:ff9b::7f00:1',
        '64:ff9b:1::7f00:1',
        '2002:7f00:1::',
        '2002:a00:1::1',
        '2001:0:4136:e378::1',
      ],
    ],
    ['unallocated v6', ['::', '100::1', '4000::1', '5f00::1', 'fec0::1', '8000::1']],
  ])('refuses %s', (_what, addresses) => {
    expect(addresses.filter(isPublicAddress)).toEqual([]);
  });

  it.each([
    '0x7f.1',
    '0177.0.0.1',
    '2130706433',
    '127.1',
    '010.8.8.8',
    '0x08080808',
    '134744072',
    '8.8.8.8 ',
    '[::1]',
    'example.com',
    '',
    '8.8.8.8%1',
    '256.1.1.1',
  ])(
    'does not accept %p as a public address, because only the canonical spelling is unambiguous',
    (text) => {
      expect(isPublicAddress(text)).toBe(false);
    },
  );
});

describe('parseCidrs', () => {
  it('reads blocks and single addresses, separated by commas or blanks', () => {
    const list = parseCidrs('127.0.0.0/8, 10.1.2.3  fd00::/8');
    const reachable = [
      '127.9.9.9',
      '10.1.2.3',
      'fd12::1',
      '10.1.2.4',
      'fe80::1',
      '192.168.0.1',
      '8.8.8.8',
    ].filter((address) => isAllowedAddress(address, list));
    expect(reachable).toEqual(['127.9.9.9', '10.1.2.3', 'fd12::1', '8.8.8.8']);
  });

  it('allows nothing when it is empty, loopback included', () => {
    expect(parseCidrs('')).toEqual([]);
    expect(isAllowedAddress('127.0.0.1', parseCidrs(' , '))).toBe(false);
  });

  it('does not let a v4 block allow the mapped v6 spelling', () => {
    expect(isAllowedAddress('::ffff:127.0.0.1', parseCidrs('127.0.0.0/8'))).toBe(false);
  });

  it.each([
    '127.0.0.0/33',
    'fd00::/129',
    '127/8',
    'localhost',
    '10.0.0.0/8/8',
    '10.0.0.0/',
    '10.0.0.0/-1',
  ])('names the entry %s, which is not a block', (entry) => {
    expect(() => parseCidrs(`10.0.0.0/8,${entry}`)).toThrow(`not a CIDR block: ${entry}`);
  });
});
