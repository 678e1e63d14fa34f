import fc from 'fast-check';
import { countValues, hasUnstorableText } from '../../src/http/body/json-text';

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

test('a text is storable exactly when its value has no NUL and no lone surrogate', () => {
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

/** Members and elements at every level; containers count, and so does what is in them. */
function valuesIn(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  return Object.values(value).reduce<number>((sum, each) => sum + 1 + valuesIn(each), 0);
}

/** Containers in each other, empty ones too, with a text in the innermost one that looks like JSON. */
const tree = fc
  .tuple(
    fc.array(fc.constantFrom('list', 'object', 'empty'), { maxLength: 8 }),
    fc.string({ unit: fc.constantFrom('[', '{', ']', '}', '"', '\\', ',', 'a') }),
  )
  .map(([kinds, inner]) =>
    kinds.reduce<unknown>((value, kind) => {
      switch (kind) {
        case 'list':
          return [value, 1, {}];
        case 'object':
          return { [inner]: value };
        case 'empty':
          return { a: [], b: value };
      }
    }, inner),
  );
const UNBOUNDED = { maxDepth: 1_000, maxValues: 1_000_000 };

test('the depth counts containers, whatever is in strings', () => {
  fc.assert(
    fc.property(tree, fc.integer({ min: 0, max: 6 }), (value, maxDepth) => {
      const json = Buffer.from(JSON.stringify(value));
      const isTooDeep = countValues(json, { ...UNBOUNDED, maxDepth }) === 'too_deep';
      expect(isTooDeep).toBe(depthOf(value) > maxDepth);
    }),
    { numRuns: 1_000 },
  );
});

test('each member and each element counts, the root does not, blanks do not', () => {
  fc.assert(
    fc.property(tree, fc.constantFrom(0, 1, 3), (value, blanks) => {
      const json = Buffer.from(JSON.stringify(value, null, blanks));
      expect(countValues(json, UNBOUNDED)).toBe(valuesIn(value));
    }),
    { numRuns: 1_000 },
  );
});

test('the number of values is compared with the limit exactly', () => {
  fc.assert(
    fc.property(tree, fc.integer({ min: 1, max: 20 }), (value, maxValues) => {
      const json = Buffer.from(JSON.stringify(value));
      const isTooMany = countValues(json, { ...UNBOUNDED, maxValues }) === 'too_many';
      expect(isTooMany).toBe(valuesIn(value) > maxValues);
    }),
    { numRuns: 1_000 },
  );
});
