import { parseDuration } from '../../src/platform/config/durations';
import { parseSize } from '../../src/platform/config/sizes';

test.each([
  ['0B', 0],
  ['512B', 512],
  ['64KB', 65_536],
  ['256MB', 268_435_456],
  ['999999GB', 999_999 * 1_073_741_824],
])('the size %s is %d bytes', (text, bytes) => {
  expect(parseSize(text)).toBe(bytes);
});

test.each(['', '1', 'MB', '1.5MB', '-1MB', '1 MB', '1mb', '1TB', '1000000GB', 'x1MB', '1MBx'])(
  '%p is not a size, and the error says what is expected',
  (text) => {
    expect(() => parseSize(text)).toThrow('must be a size such as 512B, 64KB, 256MB or 1GB');
  },
);

test.each([
  ['10ms', 10],
  ['2s', 2_000],
  ['3m', 180_000],
  ['4h', 14_400_000],
  ['5d', 432_000_000],
])('the duration %s is %d ms', (text, ms) => {
  expect(parseDuration(text)).toBe(ms);
});

test.each(['', '1', 's', '1.5s', '-1s', '1 s', '1S', '1w', '10000000s', 'constructor'])(
  '%p is not a duration, and the error says what is expected',
  (text) => {
    expect(() => parseDuration(text)).toThrow(/^must be a duration such as/);
  },
);
