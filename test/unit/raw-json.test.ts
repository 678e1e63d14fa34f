import fc from 'fast-check';
import { compactJson, rawMembers, takeMembers } from '../../src/platform/text/raw-json';

/** A JSON text built by hand, so that blanks, escapes and repeated keys appear where JSON.stringify puts none. */
const blank = fc.stringMatching(/^[ \n\r\t]{0,2}$/);

const stringToken = fc
  .array(
    fc.oneof(
      fc.string({ maxLength: 4 }).map((text) => JSON.stringify(text).slice(1, -1)),
      fc.constantFrom(
        '\\"',
        '\\\\',
        '\\/',
        '\\u0022',
        '\\u005c',
        '\\ud83c\\udf36',
        '{',
        '}',
        ']',
        ',',
      ),
    ),
    { maxLength: 5 },
  )
  .map((parts) => `"${parts.join('')}"`);

const keyToken = fc.oneof(
  stringToken,
  fc.constantFrom('"a"', '"\\u0061"', '"b"', '"__proto__"', '"constructor"', '""'),
);

const numberToken = fc.constantFrom('0', '-0', '1.0', '1e2', '1E-7', '9007199254740993', '-1.50');

const { value } = fc.letrec<{ value: string; array: string; object: string }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    fc.oneof(stringToken, numberToken, fc.constantFrom('true', 'false', 'null')),
    tie('array'),
    tie('object'),
  ),
  array: container('[', ']', tie('value')),
  object: container('{', '}', member(tie('value'))),
}));

function container(
  open: string,
  close: string,
  element: fc.Arbitrary<string>,
): fc.Arbitrary<string> {
  return fc
    .tuple(fc.array(fc.tuple(blank, element, blank), { maxLength: 4 }), blank)
    .map(([elements, inner]) =>
      elements.length === 0
        ? open + inner + close
        : open + elements.map((each) => each.join('')).join(',') + close,
    );
}

function member(of: fc.Arbitrary<string>): fc.Arbitrary<string> {
  return fc.tuple(keyToken, blank, blank, of).map(([key, a, b, v]) => `${key}${a}:${b}${v}`);
}

const text = fc
  .tuple(blank, container('{', '}', member(value)), blank)
  .map((parts) => parts.join(''));

test('it gives the same keys as JSON.parse, the last value of a repeated key, and each value as its own text', () => {
  fc.assert(
    fc.property(text, (json) => {
      const members = rawMembers(json);
      const parsed: unknown = JSON.parse(json);
      // Not Object.fromEntries' fault, but Map order: JSON.parse moves keys like "7" to the front.
      const again = Object.fromEntries(
        Array.from(members, ([key, raw]): [string, unknown] => [key, JSON.parse(raw)]),
      );
      expect(again).toEqual(parsed);
      for (const raw of members.values()) {
        expect(json).toContain(raw);
        expect(raw).toBe(raw.trim());
      }
    }),
    { numRuns: 1_000 },
  );
});

test.each([
  ['{"items":[1.0,9007199254740993,1e400,-0]}', 'items', '[1.0,9007199254740993,1e400,-0]'],
  ['{"items":[ 1 ,\n2 ] }', 'items', '[ 1 ,\n2 ]'],
  [String.raw`{"a":"\\","items":["]\"}"]}`, 'items', String.raw`["]\"}"]`],
  [String.raw`{"it\u0065ms":[1]}`, 'items', '[1]'],
  ['{"items":[1],"items":[2]}', 'items', '[2]'],
  ['{"items":[1],"a":{"items":[2]}}', 'items', '[1]'],
  ['{"__proto__":[1]}', '__proto__', '[1]'],
  ['{"a":-1.50 ,"b":true}', 'a', '-1.50'],
  ['\uFEFF{"a":null}', 'a', 'null'],
])('%s: the text of %s', (json, key, raw) => {
  expect(rawMembers(json).get(key)).toBe(raw);
});

test('an object without members has none', () => {
  expect(rawMembers(' {\n} ').size).toBe(0);
});

/** The tokens of a JSON text, without the blanks between them. */
const TOKEN = /"(?:[^"\\]|\\.)*"|[^\s"]/gs;

test('a compact text has the same tokens as its pieces, and no blank between them', () => {
  fc.assert(
    fc.property(fc.array(text, { maxLength: 3 }), (pieces) => {
      const tokens = pieces.flatMap((piece) => piece.match(TOKEN) ?? []);
      expect(compactJson(...pieces).toString()).toBe(tokens.join(''));
    }),
    { numRuns: 1_000 },
  );
});

test('members that are taken out and the object that is left have what the whole had, in its own text', () => {
  const names = ['a', '__proto__', ''];
  fc.assert(
    fc.property(text, (json) => {
      const { taken, rest } = takeMembers(json, names);
      const [all, left] = [rawMembers(json), rawMembers(rest)];
      expect(new Map([...taken, ...left])).toEqual(new Map(all));
      expect([...left.keys()].filter((name) => names.includes(name))).toEqual([]);
      expect([...taken.keys()].filter((name) => !names.includes(name))).toEqual([]);
    }),
    { numRuns: 1_000 },
  );
});

test('size, depth and rows of backslashes cost linear time and no stack', () => {
  const deep = '['.repeat(200_000) + ']'.repeat(200_000);
  const slashes = `"${'\\\\'.repeat(500_000)}"`;
  const quotes = `"${'\\"'.repeat(500_000)}"`;
  const started = performance.now();
  const members = rawMembers(`{"deep":${deep},"slashes":${slashes},"quotes":${quotes}}`);
  expect(members.get('deep')).toHaveLength(400_000);
  expect(members.get('slashes')).toBe(slashes);
  expect(members.get('quotes')).toBe(quotes);
  // Quadratic, it would take minutes; the allowance is for a busy machine.
  expect(performance.now() - started).toBeLessThan(20_000);
});
