import { parseUrl } from '../../src/platform/text/parse-url';

test('a URL with letters of Latin-1 is one, however often it is asked', () => {
  const hosts = new Set<string | undefined>();
  for (let n = 0; n < 20_000; n += 1) hosts.add(parseUrl('https://bücher.example/ä.png')?.host);
  expect([...hosts]).toEqual(['xn--bcher-kva.example']);
});

test.each(['', 'x', 'https://', '//a.example/x', 'https://a b.example/'])(
  '%j is no URL',
  (text) => {
    expect(parseUrl(text)).toBeNull();
  },
);

test('a relative one has a base', () => {
  expect(parseUrl('/b', 'https://a.example')?.href).toBe('https://a.example/b');
});
