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

const PASSWORD =
  'User and password do not belong in a url: send them in headers, as "authorization".';
const WHOLE = 'It must be a whole url: https://host/path.';
const FRAGMENT = 'A fragment is never sent: leave out "#" and what is behind it.';

it.each([
  ['http://public.test/', 'Plain http is not allowed: use https.'],
  ['ftp://public.test/', 'It must begin with https://.'],
  ['public.test/hook', WHOLE],
  ['https://user:pass@public.test/', PASSWORD],
  ['https://user@public.test/', PASSWORD],
  ['https://public.test/#a', FRAGMENT],
  ['https://public.test/#', FRAGMENT],
  [' https://public.test/ ', 'A url has no blanks or control characters: U+0020 at 1.'],
  ['https://public\n.test/', 'A url has no blanks or control characters: U+000A at 15.'],
  [
    `https://public.test/${'a'.repeat(2_049 - 'https://public.test/'.length)}`,
    'A url has 2048 characters at most.',
  ],
  ['https://public.test:99999/', WHOLE],
  ['', WHOLE],
  ['https://10.0.0.1/', 'The address 10.0.0.1 is not public.'],
  ['https://0x7f.1/', 'The address 127.0.0.1 is not public.'],
  ['https://169.254.169.254/latest', 'The address 169.254.169.254 is not public.'],
  ['https://[::1]/', 'The address ::1 is not public.'],
  ['https://[::ffff:10.0.0.1]/', 'The address ::ffff:a00:1 is not public.'],
  ['https://private.test/', 'The name private.test leads to an address that is not public.'],
  ['https://mixed.test/', 'The name mixed.test leads to an address that is not public.'],
])('%s is refused, and it is said why', async (url, hint) => {
  expect(await check(url)).toEqual({ ok: false, hint });
});

it('plain http passes where it is allowed, other schemes do not', async () => {
  expect(await check('http://public.test/', { allowHttp: true })).toMatchObject({ ok: true });
  expect(await check('ws://public.test/', { allowHttp: true })).toMatchObject({ ok: false });
});

it('an address in OUTBOUND_ALLOW_CIDRS passes', async () => {
  const allowed = { allowHttp: true, allow: '127.0.0.0/8' };
  expect(await check('http://127.0.0.1:4010/receiver', allowed)).toMatchObject({ ok: true });
  expect(await check('https://mixed.test/', allowed)).toMatchObject({ ok: true });
  expect(await check('https://private.test/', allowed)).toMatchObject({ ok: false });
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
