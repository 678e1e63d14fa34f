import { createPace } from '../../src/webhooks/consumer/request-pace';

function paceOf(perSecond: number | null) {
  const pace = createPace();
  pace.set(perSecond);
  return pace;
}

test('without a limit all may start at once', () => {
  const pace = paceOf(null);
  pace.started(1_000, 0);
  expect(pace.allowed(0)).toBe(Number.POSITIVE_INFINITY);
  expect(pace.waitMs(0)).toBe(0);
});

test('four a second start every 250 ms', () => {
  const pace = paceOf(4);
  expect(pace.allowed(1_000)).toBe(1);
  pace.started(1, 1_000);
  expect(pace.allowed(1_200)).toBe(0);
  expect(pace.waitMs(1_200)).toBeCloseTo(30);
  expect(pace.allowed(1_230)).toBe(1);
});

test('unused rate is not saved up', () => {
  const pace = paceOf(4);
  pace.started(1, 0);
  expect(pace.allowed(60_000)).toBe(1);
  pace.started(1, 60_000);
  expect(pace.allowed(60_001)).toBe(0);
});

test.each([1, 7, 100, 1_000])(
  '%i a second are never exceeded by more than the lateness of timers',
  (rate) => {
    const pace = paceOf(rate);
    let started = 0;
    for (let now = 0; now < 10_000; now += 3) {
      const count = pace.allowed(now);
      if (count === 0) continue;
      pace.started(count, now);
      started += count;
    }
    expect(started).toBeGreaterThanOrEqual(10 * rate * 0.97);
    expect(started).toBeLessThanOrEqual(10 * rate + 1 + rate / 50);
  },
);
