import { redact } from '../../src/platform/text/redact';
import { secretsOf } from '../../src/webhooks/attempt/receiver-headers';

const SECRET = 'Zm9v+YmFy/QUJD&REVG==';

const inHex = (mark: string) =>
  Array.from(Buffer.from(SECRET), (each) => mark + each.toString(16).padStart(2, '0')).join('');
const base64 = (text: string) => Buffer.from(text).toString('base64');
const wrap = (text: string, width: number, end: string) =>
  text.match(new RegExp(`.{1,${width}}`, 'gs'))?.join(end) ?? '';

/** Each is a way in which a receiver may repeat what it got. */
const ECHOES: Readonly<Record<string, string>> = {
  'as it is': SECRET,
  'in JSON': JSON.stringify(`<${SECRET}>`),
  'with \\u escapes of punctuation': String.raw`Zm9v\u002BYmFy\u002FQUJD\u0026REVG\u003D\u003D`,
  'with lower-case \\u escapes': String.raw`Zm9v\u002bYmFy\/QUJD\u0026REVG==`,
  'with \\x escapes': String.raw`Zm9v\x2BYmFy\x2FQUJD\x26REVG==`,
  'with octal escapes': String.raw`Zm9v\053YmFy\057QUJD\046REVG==`,
  'with every character as \\x': inHex(String.raw`\x`),
  'in HTML': 'Zm9v+YmFy/QUJD&amp;REVG==',
  'in HTML without a semicolon': 'Zm9v+YmFy/QUJD&ampREVG==',
  'with decimal references': 'Zm9v&#43;YmFy&#47;QUJD&#38;REVG&#61;&#61;',
  'with hexadecimal references': 'Zm9v&#x2B;YmFy&#x2f;QUJD&#x26;REVG==',
  'with named references': 'Zm9v&plus;YmFy&sol;QUJD&AMP;REVG&equals;&equals;',
  'with percent signs': encodeURIComponent(SECRET),
  'with percent signs in lower case': 'Zm9v%2bYmFy%2fQUJD%26REVG%3d%3d',
  'with some percent signs': 'Zm9v+YmFy%2fQUJD%26REVG==',
  'with every character as %': inHex('%'),
  'in base64': base64(SECRET),
  'in base64, behind one byte': base64(`.${SECRET}`),
  'in base64, behind two bytes': base64(`..${SECRET}.`),
  'in the other alphabet of base64': Buffer.from(SECRET).toString('base64url'),
  'in base64 behind its own digits': `key/${base64(SECRET)}`,
  'in base64 in JSON': JSON.stringify({ got: base64(SECRET) }),
  'in base64, wrapped over lines': wrap(base64(`x-key: ${SECRET}, and more`), 16, '\r\n  '),
  'in base64 in JSON, wrapped over lines': JSON.stringify(wrap(base64(SECRET), 10, '\n')),
  'wrapped over lines': wrap(SECRET, 8, '\n'),
  'in base64 of wrapped lines': base64(wrap(SECRET, 8, '\r\n')),
};

describe('a secret in an answer is blacked out', () => {
  it.each(Object.entries(ECHOES))('%s', (_how, echo) => {
    const shown = redact(`before ${echo} behind`, [SECRET]);
    expect(shown).toMatch(/^before .*\[redacted\].* behind$/s);
    // Whatever is left of it is too little to be of use: `key/`, a digit of padding, or the text around it in base64.
    expect(shown.replaceAll('[redacted]', '').length).toBeLessThan('before  behind'.length + 30);
    expect(shown).not.toContain('YmFy');
  });

  it('with its whole place, and only with that', () => {
    expect(redact(`a ${encodeURIComponent(SECRET)} b%20c`, [SECRET])).toBe('a [redacted] b%20c');
    expect(redact(`{"a":"é ${SECRET}","b":1}`, [SECRET])).toBe('{"a":"é [redacted]","b":1}');
    expect(redact('nothing &amp; more \\u0041 %41 QUJD', [SECRET])).toBe(
      'nothing &amp; more \\u0041 %41 QUJD',
    );
  });

  it('each of several, also where they overlap', () => {
    const shown = redact('Bearer abcdefgh, abcdefgh', ['Bearer abcdefgh', 'abcdefgh']);
    expect(shown).toBe('[redacted], [redacted]');
  });

  it('with a character of several bytes', () => {
    const secret = 'pässwörd-1';
    for (const echo of [secret, encodeURIComponent(secret), base64(secret)]) {
      expect(redact(`<${echo}>`, [secret])).toBe('<[redacted]>');
    }
  });
});

it('a password in a Basic credential, and a user name that may be a key, are secrets', () => {
  const credential = base64('account-key:open-sesame');
  const secrets = secretsOf({ Authorization: `Basic ${credential}` });
  const shown = redact('no access for account-key with open-sesame', secrets);
  expect(shown).toBe('no access for [redacted] with [redacted]');
  expect(
    redact('user admin', secretsOf({ Authorization: `Basic ${base64('admin:secret')}` })),
  ).toBe('user admin');
});
