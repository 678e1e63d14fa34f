import { readReceiverHeaders, secretsOf } from '../../src/webhooks/attempt/receiver-headers';

test.each([
  [{}],
  [{ 'X-Api-Key': 'secret' }],
  [{ authorization: 'Basic dXNlcjpwYXNz', Accept: '*/*', Cookie: 'a=b; c="d"' }],
  [{ a: ' ', b: '~'.repeat(1_000), ['x'.repeat(255)]: '1' }],
  [Object.fromEntries(Array.from({ length: 10 }, (_, n) => [`x-${n}`, String(n)]))],
  [JSON.parse('{"__proto__":"1","constructor":"2"}') as object],
])('%j may be set', (given) => {
  expect(Object.entries(readReceiverHeaders(given) ?? { refused: true })).toEqual(
    Object.entries(given),
  );
});

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
  '',
  'a b',
  'a:b',
  'é',
  'a\r\nb',
  'x'.repeat(256),
])('a header %j may not be set', (name) => {
  expect(readReceiverHeaders({ [name]: 'value' })).toBeUndefined();
});

test.each([
  [''],
  ['x'.repeat(1_001)],
  ['é'],
  ['a\tb'],
  ['a\r\nHost: b'],
  ['\u007f'],
  [1],
  [null],
  [['a']],
  [{}],
])('a value %j may not be sent', (value) => {
  expect(readReceiverHeaders({ 'x-key': value })).toBeUndefined();
});

test('names are compared without case, and there are ten at most', () => {
  expect(readReceiverHeaders({ 'X-Key': '1', 'x-key': '2' })).toBeUndefined();
  const eleven = Object.fromEntries(Array.from({ length: 11 }, (_, n) => [`x-${n}`, '1']));
  expect(readReceiverHeaders(eleven)).toBeUndefined();
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
