import { readReceiverHeaders, secretsOf } from '../../src/webhooks/attempt/receiver-headers';

test.each([
  [{}],
  [{ 'X-Api-Key': 'secret' }],
  [{ authorization: 'Basic dXNlcjpwYXNz', Accept: '*/*', Cookie: 'a=b; c="d"' }],
  [{ a: ' ', b: '~'.repeat(1_000), ['x'.repeat(255)]: '1' }],
  [Object.fromEntries(Array.from({ length: 10 }, (_, n) => [`x-${n}`, String(n)]))],
  [JSON.parse('{"__proto__":"1","constructor":"2"}') as object],
])('%j may be set', (given) => {
  const read = readReceiverHeaders(given);
  expect(read.ok && Object.entries(read.headers)).toEqual(Object.entries(given));
});

const hintFor = (given: object) => {
  const read = readReceiverHeaders(given);
  return read.ok ? null : read.hint;
};

test.each([
  'Connection',
  'Keep-Alive',
  'Proxy-Authorization',
  'TE',
  'Trailer',
  'Transfer-Encoding',
  'Upgrade',
  'Host',
  'HOST',
  'Content-Type',
  'content-length',
  'Content-',
  'User-Agent',
  'Webhook-Id',
  'webhook-anything',
  'X-Signature-Request',
  'x-signature-request',
  'Expect',
])('a header %j may not be set', (name) => {
  expect(hintFor({ [name]: 'value' })).toBe(`The header ${name} is the service's own.`);
});

test.each([
  ['', 'A header has no name.'],
  ['a b', 'The name of the header "a…" has a wrong character: U+0020 at 2.'],
  ['a:b', 'The name of the header "a…" has a wrong character: U+003A at 2.'],
  ['é', 'The name of the header "…" has a wrong character: U+00E9 at 1.'],
  ['a\r\nb', 'The name of the header "a…" has a wrong character: U+000D at 2.'],
  ['x-\u{1F336}', 'The name of the header "x-…" has a wrong character: U+1F336 at 3.'],
  ['x'.repeat(256), 'A header has a name of more than 255 characters.'],
])('of a header %j it is said what is wrong', (name, hint) => {
  expect(hintFor({ 'x-good': '1', [name]: 'value' })).toBe(hint);
});

test.each([
  ['', 'is empty.'],
  ['x'.repeat(1_001), 'has more than 1000 characters.'],
  ['secret é', 'has a character that is not printable ASCII: U+00E9 at 8.'],
  ['a\tb', 'has a character that is not printable ASCII: U+0009 at 2.'],
  ['a\r\nHost: b', 'has a character that is not printable ASCII: U+000D at 2.'],
  ['\u007f', 'has a character that is not printable ASCII: U+007F at 1.'],
  [1, 'must be a string.'],
  [null, 'must be a string.'],
  [['a'], 'must be a string.'],
  [{}, 'must be a string.'],
])('of a value %j it is said what is wrong, and nothing else of it', (value, hint) => {
  expect(hintFor({ 'X-Key': value })).toBe(`The value of the header X-Key ${hint}`);
});

test('names are compared without case, and there are ten at most', () => {
  expect(hintFor({ 'X-Key': '1', 'x-key': '2' })).toBe('The header x-key is there twice.');
  const eleven = Object.fromEntries(Array.from({ length: 11 }, (_, n) => [`x-${n}`, '1']));
  expect(hintFor(eleven)).toBe('There are more than 10 headers.');
});

test('short values are no secrets, since answers have them anyway; the part after a scheme may be shorter', () => {
  const headers = { 'X-Debug': 'true', 'X-Env': 'staging', 'X-Key': '12345678' };
  expect(secretsOf(headers)).toEqual(['12345678']);
  expect(secretsOf({ authorization: 'Bearer abcd' })).toEqual(['Bearer abcd', 'abcd']);
  expect(secretsOf({ authorization: 'Bearer abc' })).toEqual(['Bearer abc']);
  expect(secretsOf({ 'X-Key': 'token abcd' })).toEqual(['token abcd', 'abcd']);
  expect(secretsOf({ 'X-Authorization': 'Acme abcd' })).toEqual(['Acme abcd', 'abcd']);
});

test('the second word of a value is no secret if it is short and the first one is no scheme', () => {
  expect(secretsOf({ 'X-Client': 'Acme Stock' })).toEqual(['Acme Stock']);
  expect(secretsOf({ 'X-Client': 'Acme 12345678' })).toEqual(['Acme 12345678', '12345678']);
});
