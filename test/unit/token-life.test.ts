import { tokenEnd, untilRenewalMs } from '../../src/delivery-apps/tokens/token-life';

const NOW = 1_000_000;
const DAY_S = 86_400;

test.each([
  [3_600, 3_600],
  ['3600', 3_600],
  [59, 60],
  [60, 60],
  [0.5, 60],
  [0, 60],
  [-1, 60],
  [-Infinity, 60],
  [90 * DAY_S, 90 * DAY_S],
  [90 * DAY_S + 1, 90 * DAY_S],
  [1e300, 90 * DAY_S],
  [JSON.parse('1e999'), 90 * DAY_S],
  ['for ever', 60],
  ['', 60],
  [null, 60],
  [undefined, 60],
  [true, 60],
  [[7_200], 60],
  [Number.NaN, 60],
])('a token with a stated lifetime of %p seconds counts as living %d', (given, seconds) => {
  expect(tokenEnd(given, NOW)).toBe(NOW + seconds * 1_000);
});

test.each([
  [60, 54],
  [3_000, 2_700],
  [3_001, 2_701],
  [DAY_S, DAY_S - 300],
])('a token of %d s is renewed after %d s', (life, after) => {
  expect(Math.ceil(untilRenewalMs(life * 1_000) / 1_000)).toBe(after);
});
