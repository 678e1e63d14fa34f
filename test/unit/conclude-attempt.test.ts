import fc from 'fast-check';
import { parseDuration, parseDurations } from '../../src/platform/config/durations';
import { parseRetryAfter } from '../../src/platform/outbound/retry-after';
import { concludeAttempt } from '../../src/webhooks/attempt/conclude-attempt';
import { nextAttempt } from '../../src/webhooks/attempt/next-attempt';

const DAY = 86_400_000;
const TABLE = parseDurations('1s,5s,30s,2m,10m,1h,3h,6h,12h,24h');

test.each([
  ['500ms', 500],
  ['10s', 10_000],
  ['2m', 120_000],
  ['1h', 3_600_000],
  ['7d', 604_800_000],
  ['0s', 0],
])('%s is a duration', (text, ms) => {
  expect(parseDuration(text)).toBe(ms);
});

test.each(['', '10', 's', '1.5s', '-1s', '1 s', '1S', '1w', '12345678s', '1s ', '1constructor'])(
  '%j is not a duration, and the error says what is expected',
  (text) => {
    expect(() => parseDuration(text)).toThrow('such as 500ms, 10s, 2m, 1h or 7d');
  },
);

test('the schedule of a delivery is read in order, blanks around commas allowed', () => {
  expect(parseDurations('1s, 5s ,30s')).toEqual([1_000, 5_000, 30_000]);
  expect(() => parseDurations('1s,,5s')).toThrow('separated by commas');
});

test('eleven attempts are made: the first, and one after each delay of the table', () => {
  const kinds = Array.from(
    { length: 11 },
    (_, index) => nextAttempt(TABLE, { attemptNo: index + 1, retryAfterMs: null, random: 0 }).kind,
  );
  expect(kinds).toEqual([...Array.from({ length: 10 }, () => 'retry'), 'exhausted']);
});

test('every delay lies within 20 % of the table, and both ends are reached', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 10 }),
      fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
      (attemptNo, random) => {
        const delay = delayOf(attemptNo, random, null);
        const base = TABLE[attemptNo - 1] ?? 0;
        expect(delay).toBeGreaterThanOrEqual(base * 0.8);
        expect(delay).toBeLessThanOrEqual(base * 1.2);
      },
    ),
  );
  expect(delayOf(1, 0, null)).toBe(800);
  expect(delayOf(1, 0.999_999, null)).toBe(1_200);
});

test('Retry-After prolongs a delay, up to a day, and never shortens it', () => {
  expect(delayOf(1, 0.5, 60_000)).toBe(60_000);
  expect(delayOf(5, 0.5, 1_000)).toBe(600_000);
  expect(delayOf(1, 0.5, 0)).toBe(1_000);
  expect(delayOf(1, 0.5, 30 * DAY)).toBe(DAY);
  expect(delayOf(1, 0.5, Infinity)).toBe(DAY);
});

test('a receiver cannot keep a delivery alive past the table with Retry-After', () => {
  const failed = { attemptNo: 11, retryAfterMs: 60_000, random: 0 };
  expect(nextAttempt(TABLE, failed)).toEqual({ kind: 'exhausted' });
});

const NOW = Date.UTC(1994, 10, 6, 8, 49, 30);

test.each([
  ['seconds', '120', 120_000],
  ['seconds with blanks', ' 120 ', 120_000],
  ['zero', '0', 0],
  ['an HTTP-date', 'Sun, 06 Nov 1994 08:49:37 GMT', 7_000],
  ['an RFC 850 date', 'Sunday, 06-Nov-94 08:49:37 GMT', 7_000],
  ['an asctime date', 'Sun Nov  6 08:49:37 1994', 7_000],
  ['a date that has passed', 'Sun, 06 Nov 1994 08:00:00 GMT', 0],
  ['a two-digit year of the century before', 'Sunday, 06-Nov-60 08:49:37 GMT', 0],
  ['more digits than a number holds', '9'.repeat(400), Infinity],
])('Retry-After as %s', (_, value, ms) => {
  expect(parseRetryAfter(value, NOW)).toBe(ms);
});

test.each(['', 'soon', '-1', '1.5', '5, 10', '2026-11-21', 'Sun, 06 Foo 1994 08:49:37 GMT', '1e3'])(
  'Retry-After %j asks for nothing',
  (value) => {
    expect(parseRetryAfter(value, NOW)).toBeUndefined();
  },
);

test('two-digit years around the end of a century are read as RFC 9110 demands', () => {
  const now = Date.UTC(2099, 11, 31, 23, 59, 59);
  expect(parseRetryAfter('Friday, 01-Jan-00 00:00:09 GMT', now)).toBe(10_000);
});

function delayOf(attemptNo: number, random: number, retryAfterMs: number | null): number {
  const next = nextAttempt(TABLE, { attemptNo, random, retryAfterMs });
  return next.kind === 'retry' ? next.delayMs : NaN;
}

describe('the outcome of an attempt for its delivery', () => {
  const table = [1_000, 5_000];
  const retry = {
    kind: 'retry',
    status: 500,
    message: null,
    retryAfterMs: null,
    health: 'failure',
  } as const;

  test.each([
    [{ kind: 'acknowledged', status: 204 } as const, 'acknowledged'],
    [{ kind: 'refused', status: 422, message: 'No.', gone: false } as const, 'refused'],
    [{ kind: 'delivered', status: null } as const, 'delivered'],
  ])('%j is final', (verdict, state) => {
    expect(concludeAttempt(verdict, { attemptNo: 1, table, random: 0.5 })).toEqual({ state });
  });

  test('an attempt that we aborted ourselves does not count', () => {
    const end = concludeAttempt({ kind: 'interrupted' }, { attemptNo: 3, table, random: 0.5 });
    expect(end).toEqual({ state: 'released' });
  });

  test('a failed attempt is followed by another until the table is at its end', () => {
    const ends = [1, 2, 3].map((attemptNo) =>
      concludeAttempt(retry, { attemptNo, table, random: 0.5 }),
    );
    expect(ends).toEqual([
      { state: 'pending', delayMs: 1_000 },
      { state: 'pending', delayMs: 5_000 },
      { state: 'exhausted' },
    ]);
  });

  test('a second try of its own comes when it must, and not after the last attempt', () => {
    const again = { ...retry, status: 404, health: null, againMs: 1_500 };
    const ends = [1, 3].map((attemptNo) =>
      concludeAttempt(again, { attemptNo, table, random: 0.5 }),
    );
    expect(ends).toEqual([{ state: 'pending', delayMs: 1_500 }, { state: 'exhausted' }]);
  });

  test('what is gone waits, even after the last attempt, as its subscription is disabled', () => {
    const gone = { ...retry, status: 410, health: 'gone' } as const;
    const ends = [1, 3].map((attemptNo) =>
      concludeAttempt(gone, { attemptNo, table, random: 0.5 }),
    );
    expect(ends).toEqual([
      { state: 'pending', delayMs: 1_000 },
      { state: 'pending', delayMs: 5_000 },
    ]);
  });

  test('a receiver’s Retry-After counts where it is longer', () => {
    const asked = { ...retry, retryAfterMs: 60_000 };
    expect(concludeAttempt(asked, { attemptNo: 1, table, random: 0.5 })).toEqual({
      state: 'pending',
      delayMs: 60_000,
    });
  });
});
