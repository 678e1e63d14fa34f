import fc from 'fast-check';
import { cutText } from '../../src/platform/text/cut-text';

const FAMILY = '👨‍👩‍👧‍👦';

function codePoints(text: string): number {
  return Array.from(text).length;
}

/** Where a text may end, by the segmenter's reading of the whole of it. */
function ends(text: string): ReadonlySet<number> {
  const segments = new Intl.Segmenter('und', { granularity: 'grapheme' }).segment(text);
  return new Set([...segments].map(({ index }) => index));
}

test.each([
  ['a family of seven code points', `ab${FAMILY}${FAMILY}`, 10, `ab${FAMILY}`],
  ['a flag', 'ab🇲🇽🇲🇽🇲🇽', 5, 'ab🇲🇽'],
  ['a flag after an odd number of its letters', '🇲🇽🇲🇽🇲', 4, '🇲🇽🇲🇽'],
  ['a letter with its accent', 'cafe\u0301s', 4, 'caf'],
  ['a tone of skin', 'ok👍🏽👍🏽', 3, 'ok'],
  ['a keycap', 'No 1️⃣2️⃣', 4, 'No'],
  ['a Hangul syllable', '한\u1100\u1161\u11A8', 2, '한'],
  ['a Thai vowel sign', 'ข้าวผัด', 5, 'ข้าว'],
  ['a line end', 'soup\r\nbread', 5, 'soup'],
  ['blanks at the end', 'Hot    dog', 5, 'Hot'],
  ['no text that fits', FAMILY, 7, FAMILY],
  ['no text of as many characters as units', '🍕🍕', 2, '🍕🍕'],
])('a cut leaves %s whole', (_, text, length, expected) => {
  expect(cutText(text, length)).toBe(expected);
});

test('a first cluster that alone is too long is cut by code point', () => {
  expect(cutText(`e${'\u0301'.repeat(60)}`, 50)).toBe(`e${'\u0301'.repeat(49)}`);
  expect(cutText(FAMILY, 3)).toBe('👨‍👩');
});

const PARTS = [
  'a',
  ' ',
  'é',
  'e\u0301',
  '🍕',
  '👍🏽',
  '🇲🇽',
  '🇲',
  FAMILY,
  '\u200D',
  '한',
  'ก็',
  '\r\n',
  '\u0600',
];

test('whatever the text, it is cut at the last end of a cluster that fits', () => {
  const texts = fc
    .array(fc.constantFrom(...PARTS), { maxLength: 40 })
    .map((parts) => parts.join(''));
  fc.assert(
    fc.property(texts, fc.integer({ min: 1, max: 30 }), (text, length) => {
      const cut = cutText(text, length);
      const fitting = [...ends(text)].filter((end) => codePoints(text.slice(0, end)) <= length);
      const last = Math.max(...fitting);
      const whole = last > 0 ? text.slice(0, last) : Array.from(text).slice(0, length).join('');
      expect(cut).toBe(codePoints(text) <= length ? text : whole.trimEnd());
    }),
    { numRuns: 3_000 },
  );
});

test('a text of ten million letters is cut by looking at its beginning', () => {
  const text = FAMILY.repeat(1_000_000);
  const startedAt = process.cpuUsage();
  for (let times = 0; times < 100; times += 1) cutText(text, 400);
  // Reading all of it once takes a second.
  expect(process.cpuUsage(startedAt).user / 1_000).toBeLessThan(1_000);
});
