import fc from 'fast-check';
import { quoteValue } from '../../src/platform/text/quote-value';

test.each([
  ['C1 ', 'C1 '],
  [' a  b\u00a0', ' a  b\u00a0'],
  ['e\u0301', 'e\u0301'],
  ['👩‍🍳', '👩‍🍳'],
  ['\u202e1C', '\\u202e1C'],
  ['a\u0000b\nc\u0085\u2028', 'a\\u0000b\\u000ac\\u0085\\u2028'],
  ['\ud83d', '\\ud83d'],
  ['\u2066a\u2069', '\\u2066a\\u2069'],
])('%j is quoted as %j', (value, quoted) => {
  expect(quoteValue(value)).toBe(quoted);
});

test('any value is quoted on one line, and printable text unchanged', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (value) => {
      const quoted = quoteValue(value);
      expect(quoted).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/u);
    }),
  );
  fc.assert(fc.property(fc.string(), (value) => expect(quoteValue(value)).toBe(value)));
});
