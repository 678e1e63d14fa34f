import { readError, readMenuErrors } from '../../src/delivery-apps/app-b/refusal-reasons';

const PAYLOAD = Buffer.from('{"menu":{"id":"M1"},"items":[{"id":"I1"},{"id":"I2"}]}');

const refusal = (...errors: unknown[]) => JSON.stringify({ errors });

test('an error names the POS id of its entity', () => {
  const text = refusal(
    { code: 'invalid_price', path: '/items/1/price', message: 'must look like 10.30' },
    { code: 'no_shifts', path: '/menu/shifts', message: 'must not be empty' },
  );
  expect(readMenuErrors(text, PAYLOAD)).toEqual([
    'invalid_price /items/1/price (I2): must look like 10.30',
    'no_shifts /menu/shifts (M1): must not be empty',
  ]);
});

test.each([
  ['a place outside the payload', { code: 'a', path: '/items/9' }, 'a /items/9'],
  ['a whole list', { code: 'a', path: '/items' }, 'a /items'],
  ['a place after the last', { code: 'a', path: '/items/-' }, 'a /items/-'],
  ['a place of no entity', { code: 'a', path: '', message: 'b' }, 'a: b'],
  ['an inherited property', { code: 'a', path: '/constructor/name' }, 'a /constructor/name'],
  ['a message alone', { message: 'b' }, 'b'],
  ['nothing readable', { code: 1 }, ''],
])('%s gives what there is', (_, error, reason) => {
  expect(readMenuErrors(refusal(error), PAYLOAD)).toEqual([reason]);
});

test('a refusal of one word is that word', () => {
  expect(readMenuErrors('{"error":"merchant_not_found"}', PAYLOAD)).toEqual(['merchant_not_found']);
  expect(readError('{"error":"invalid_client"}')).toEqual(['invalid_client']);
  expect(readError('{"error":1}')).toEqual([]);
  expect(readError('<html>')).toEqual([]);
});
