import { axisOf, quartersUntil } from '../../src/console/axis';

test.each([
  [0, '2', '1'],
  [2, '2', '1'],
  [3, '4', '2'],
  [11, '20', '10'],
  [101, '200', '100'],
  [29_999, '40,000', '20,000'],
])('a count of %p ends at %s, with %s in the middle', (most, top, middle) => {
  expect(axisOf(most, 'count').labels).toEqual([top, middle, '0']);
});

test.each([
  [0, '2 ms', '1 ms'],
  [41, '60 ms', '30 ms'],
  [999, '1 s', '500 ms'],
  [5_001, '6 s', '3 s'],
  [10_001, '20 s', '10 s'],
  [150_000, '4 min', '2 min'],
  [3_000_000, '60 min', '30 min'],
  [90_000_000, '2 days', '24 h'],
])('a duration of %p ms ends at %s, with %s in the middle', (most, top, middle) => {
  expect(axisOf(most, 'ms').labels).toEqual([top, middle, '0']);
  expect(axisOf(most / 1_000, 's').labels).toEqual([top, middle, '0']);
});

test('every axis is at least as high as its highest bar, and less than three times as high', () => {
  for (let ms = 3; ms < 100 * 86_400_000; ms = Math.ceil(ms * 1.3)) {
    for (const unit of ['count', 'ms', 's'] as const) {
      const most = unit === 's' ? ms / 1_000 : ms;
      const { top } = axisOf(most, unit);
      expect([unit, most, top >= most && top < 3 * most]).toEqual([unit, most, true]);
    }
  }
  // Longer than anything is kept.
  expect(axisOf(200 * 86_400, 's')).toEqual({
    top: 200 * 86_400,
    labels: ['200 days', '100 days', '0'],
  });
});

test('the clock under a plot is that of the last hour, over midnight, too', () => {
  expect(quartersUntil(new Date('2026-01-02T00:20:59Z')).map((at) => at.toISOString())).toEqual([
    '2026-01-01T23:20:00.000Z',
    '2026-01-01T23:35:00.000Z',
    '2026-01-01T23:50:00.000Z',
    '2026-01-02T00:05:00.000Z',
    '2026-01-02T00:20:00.000Z',
  ]);
});
