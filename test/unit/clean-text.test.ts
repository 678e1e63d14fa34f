import fc from 'fast-check';
import { cleanText } from '../../src/platform/text/clean-text';

test.each([
  ['line ends and tabs become one blank', 'out\r\n\tof  stock', 'out of stock'],
  ['blanks at the ends go', '  \u00A0 no \u3000', 'no'],
  ['control characters separate words', 'a\u0000b\u001B[31mc\u0085d\u2028e', 'a b [31mc d e'],
  ['bidi characters vanish', 'a\u202Eb\u2066c\u200Fd\u061Ce', 'abcde'],
  ['letters and their accents are joined', 'Cafe\u0301', 'Café'],
  ['accents join also across a bidi character', 'e\u202D\u0301', 'é'],
  ['half a surrogate pair becomes U+FFFD', 'a\uD800b', 'a\uFFFDb'],
  ['emoji keep their joiners', '👩‍🍳', '👩‍🍳'],
  ['nothing is left of nothing', '\u202E\n', ''],
])('%s', (_, text, clean) => {
  expect(cleanText(text, 500)).toBe(clean);
});

test('the cut counts code points and leaves no half of one, and no blank at the end', () => {
  expect(cleanText('🌶'.repeat(600), 500)).toBe('🌶'.repeat(500));
  expect(cleanText('abc def', 4)).toBe('abc');
});

test('whatever the text: no control or bidi character, NFC, within the limit, and stable', () => {
  const text = fc.string({ unit: 'binary', maxLength: 80 });
  fc.assert(
    fc.property(text, fc.integer({ min: 1, max: 40 }), (dirty, limit) => {
      const clean = cleanText(dirty, limit);
      expect(clean).not.toMatch(/[\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}\p{Surrogate}]/u);
      expect(clean).toBe(clean.normalize('NFC'));
      expect(Array.from(clean).length).toBeLessThanOrEqual(limit);
      expect(cleanText(clean, limit)).toBe(clean);
    }),
    { numRuns: 500 },
  );
});
