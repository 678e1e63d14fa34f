import fc from 'fast-check';
import { hasUnstorableText, isTooDeep } from '../../src/http/json-text';

/** Pieces of a JSON string: what matters here, as escapes and raw, among what looks like it. */
const piece = fc.constantFrom(
  String.raw`\u0000`,
  String.raw`\ud83c`,
  String.raw`\uD83C`,
  String.raw`\udf55`,
  String.raw`\uDF55`,
  String.raw`\u0041`,
  String.raw`\n`,
  String.raw`\\`,
  String.raw`\"`,
  'u0000',
  'ud83c',
  '🍕',
  'x',
);

test('a text is storable exactly when what it stands for has no NUL and no lone surrogate', () => {
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
      const json = `{"k":"${pieces.join('')}"}`;
      const { k } = JSON.parse(json) as { k: string };
      expect(hasUnstorableText(json)).toBe(/\0|\p{Surrogate}/u.test(k));
    }),
    { numRuns: 2_000 },
  );
});

test('a high surrogate followed by another escape further on is a lone one', () => {
  expect(hasUnstorableText(String.raw`{"k":"\ud83c and \n"}`)).toBe(true);
});

function depthOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(depthOf));
}

test('the depth is that of the containers, whatever stands in strings', () => {
  const text = fc.string({ unit: fc.constantFrom('[', '{', ']', '}', '"', '\\', 'a') });
  /** Containers in each other, with such a text in the innermost one. */
  const tree = fc
    .tuple(fc.array(fc.boolean(), { maxLength: 8 }), text)
    .map(([kinds, inner]) =>
      kinds.reduce<unknown>((value, isList) => (isList ? [value, 1] : { [inner]: value }), inner),
    );
  fc.assert(
    fc.property(tree, fc.integer({ min: 0, max: 6 }), (value, maximum) => {
      const json = Buffer.from(JSON.stringify(value));
      expect(isTooDeep(json, maximum)).toBe(depthOf(value) > maximum);
    }),
    { numRuns: 1_000 },
  );
});
