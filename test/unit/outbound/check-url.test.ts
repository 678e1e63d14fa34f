import { parseCidrs } from '../../../src/platform/outbound/addresses';
import { checkWebhookUrl } from '../../../src/platform/outbound/check-url';
import type { Lookup } from '../../../src/platform/outbound/resolve-host';

const HOSTS: Readonly<Record<string, readonly string[]>> = {
  'public.test': ['8.8.8.8', '2606:4700:4700::1111'],
  'private.test': ['10.0.0.1'],
  'mixed.test': ['8.8.8.8', '127.0.0.1'],
};

const lookup: Lookup = (hostname) => {
  const addresses = HOSTS[hostname];
  return addresses ? Promise.resolve(addresses) : Promise.reject(new Error('unknown host'));
};

function check(url: string, more: { allowHttp?: boolean; allow?: string; lookup?: Lookup } = {}) {
  return checkWebhookUrl(url, {
    allowHttp: more.allowHttp ?? false,
    allowCidrs: parseCidrs(more.allow ?? ''),
    lookup: more.lookup ?? lookup,
  });
}

it.each([
  'https://public.test',
  'https://public.test/hook?shop=1',
  'https://public.test:8443/hook',
  'https://8.8.8.8/',
  'https://[2606:4700:4700::1111]/',
  'HTTPS://PUBLIC.test/',
  `https://public.test/${'a'.repeat(2_048 - 'https://public.test/'.length)}`,
])('%s may be registered, and stays as it was written', async (url) => {
  expect(await check(url)).toEqual({ ok: true, url });
});

it.each([
  ['not https', 'http://public.test/'],
  ['another scheme', 'ftp://public.test/'],
  ['no scheme', 'public.test/hook'],
  ['credentials', 'https://user:pass@public.test/'],
  ['a user name', 'https://user@public.test/'],
  ['a fragment', 'https://public.test/#a'],
  ['an empty fragment', 'https://public.test/#'],
  ['blanks', ' https://public.test/ '],
  ['a line break', 'https://public\n.test/'],
  ['2,049 characters', `https://public.test/${'a'.repeat(2_049 - 'https://public.test/'.length)}`],
  ['an impossible port', 'https://public.test:99999/'],
  ['nothing', ''],
  ['a private address', 'https://10.0.0.1/'],
  ['a private address in disguise', 'https://0x7f.1/'],
  ['the metadata service', 'https://169.254.169.254/latest'],
  ['loopback v6', 'https://[::1]/'],
  ['a mapped address', 'https://[::ffff:10.0.0.1]/'],
  ['a name for a private address', 'https://private.test/'],
  ['a name for a public and a private address', 'https://mixed.test/'],
])('a url with %s is refused', async (_what, url) => {
  expect(await check(url)).toEqual({ ok: false });
});

it('plain http passes where it is allowed, other schemes do not', async () => {
  expect(await check('http://public.test/', { allowHttp: true })).toMatchObject({ ok: true });
  expect(await check('ws://public.test/', { allowHttp: true })).toEqual({ ok: false });
});

it('an address in OUTBOUND_ALLOW_CIDRS passes', async () => {
  const allowed = { allowHttp: true, allow: '127.0.0.0/8' };
  expect(await check('http://127.0.0.1:4010/receiver', allowed)).toMatchObject({ ok: true });
  expect(await check('https://mixed.test/', allowed)).toMatchObject({ ok: true });
  expect(await check('https://private.test/', allowed)).toEqual({ ok: false });
});

it('a name that does not resolve yet passes, because each connection is checked again', async () => {
  expect(await check('https://tomorrow.test/')).toMatchObject({ ok: true });
});

it('a name server that hangs does not hold up the answer for long', async () => {
  const startedAt = Date.now();
  expect(await check('https://slow.test/', { lookup: () => new Promise(() => {}) })).toMatchObject({
    ok: true,
  });
  expect(Date.now() - startedAt).toBeLessThan(4_000);
});
