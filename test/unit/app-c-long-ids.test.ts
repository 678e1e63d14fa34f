import fc from 'fast-check';
import { parseWithLongIds } from '../../src/delivery-apps/app-c/long-ids';

describe('JSON with long ids', () => {
  it.each([
    ['{"taskID":3458764739727720400}', { taskID: '3458764739727720400' }],
    ['[9007199254740993,-9007199254740993]', ['9007199254740993', '-9007199254740993']],
    ['[999999999999999, 1, -1, 0]', [999_999_999_999_999, 1, -1, 0]],
    ['1234567890123456', '1234567890123456'],
    [
      '[1234567890123456.5, 1234567890123456e2]',
      [1_234_567_890_123_456.5, 123_456_789_012_345_600],
    ],
  ])('%s keeps every digit of integers that JavaScript would round', (text, value) => {
    expect(parseWithLongIds(text)).toEqual(value);
  });

  it.each([
    ['{"a":"3458764739727720400"}', { a: '3458764739727720400' }],
    [String.raw`{"a":"\"3458764739727720400\""}`, { a: '"3458764739727720400"' }],
    [String.raw`{"a\\":3458764739727720400}`, { 'a\\': '3458764739727720400' }],
    [String.raw`["\\",3458764739727720400,"\\\""]`, ['\\', '3458764739727720400', '\\"']],
    ['{"3458764739727720400":1}', { '3458764739727720400': 1 }],
  ])('%s: digits inside a string stay what they are', (text, value) => {
    expect(parseWithLongIds(text)).toEqual(value);
  });

  it('is plain JSON where no integer is long', () => {
    const short = fc.jsonValue().map((value) => JSON.stringify(value, shorten));
    fc.assert(
      fc.property(short, (text) => {
        expect(parseWithLongIds(text)).toEqual(JSON.parse(text));
      }),
    );
  });

  it('keeps a 64-bit id anywhere among anything', () => {
    const id = fc.bigInt({ min: 10n ** 15n, max: 2n ** 64n - 1n });
    fc.assert(
      fc.property(fc.string(), id, fc.jsonValue(), (key, long, other) => {
        const around = JSON.stringify(other, shorten);
        const text = `{${JSON.stringify(`a${key}`)}:[${around},${long}]}`;
        const value = { [`a${key}`]: [JSON.parse(around), String(long)] };
        expect(parseWithLongIds(text)).toEqual(value);
      }),
    );
  });

  it.each([
    '',
    '{',
    '{"a":',
    '"',
    '[1234567890123456 1]',
    '0000000000000000001',
    '<html>',
    '{"a":\\',
  ])('refuses %j', (text) => {
    expect(() => parseWithLongIds(text)).toThrow(SyntaxError);
  });

  it.each([
    ['escaped quotes in a string without end', `"${'\\"'.repeat(1_000_000)}`],
    ['quotes', '"'.repeat(1_000_001)],
    ['backslashes', `"${'\\'.repeat(2_000_000)}`],
    ['signs', '-'.repeat(2_000_000)],
    ['digits', `${'1'.repeat(2_000_000)}x`],
    ['half a fraction', '1.'.repeat(1_000_000)],
  ])('is quick for two million characters of %s', (_, text) => {
    const started = performance.now();
    expect(() => parseWithLongIds(text)).toThrow(SyntaxError);
    // Some 100 ms each; with a pattern that looks back, minutes.
    expect(performance.now() - started).toBeLessThan(5_000);
  });

  it('reads a string of ten million characters', () => {
    const text = JSON.stringify('"\\x'.repeat(2_500_000));
    expect(parseWithLongIds(text)).toBe('"\\x'.repeat(2_500_000));
  });
});

/** Numbers that JSON writes with 16 digits or more are the subject of the other tests. */
function shorten(_: string, value: unknown): unknown {
  return typeof value === 'number' && Math.abs(value) >= 1e15 ? 1 : value;
}
