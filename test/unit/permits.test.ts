import { Registry } from 'prom-client';
import { createBounds } from '../../src/platform/admission/bound-metrics';
import { createBoundPermits, createPermits, halfOf } from '../../src/platform/admission/permits';
import { seriesOf } from '../support/series-of';

test('there are so many permits, and one that is given back is free again, once', () => {
  const permits = createPermits({ ofAll: 2 });
  const [first, second] = [permits.take(), permits.take()];
  expect([permits.take(), permits.used(), permits.limit]).toEqual([undefined, 2, 2]);
  first?.();
  first?.();
  expect(permits.used()).toBe(1);
  expect([typeof permits.take(), permits.take()]).toEqual(['function', undefined]);
  second?.();
  expect([permits.used(), permits.takenBy()]).toEqual([1, 0]);
});

test('each key has its own permits, and none is remembered that has taken none', () => {
  const permits = createPermits<string>({ ofKey: 2 });
  const releases = ['A', 'A', 'B'].map((key) => permits.take(key));
  expect(permits.take('A')).toBeUndefined();
  expect([permits.takenBy('A'), permits.takenBy('B'), permits.takenBy('C')]).toEqual([2, 1, 0]);
  expect([permits.used(), permits.limit]).toEqual([2, 2]);
  releases[0]?.();
  expect([permits.takenBy('A'), permits.used()]).toEqual([1, 1]);
  for (const release of releases) release?.();
  expect([permits.takenBy('A'), permits.takenBy('B'), permits.used()]).toEqual([0, 0, 0]);
});

test('a key has its share at most of the permits of all', () => {
  const permits = createPermits<string>({ ofAll: 3, ofKey: 2 });
  const release = permits.take('A');
  permits.take('A');
  expect(permits.take('A')).toBeUndefined();
  permits.take('B');
  expect([permits.take('B'), permits.take('C')]).toEqual([undefined, undefined]);
  expect([permits.used(), permits.limit]).toEqual([3, 3]);
  release?.();
  expect([permits.takenBy('A'), permits.takenBy('B'), permits.used()]).toEqual([1, 1, 2]);
  expect(permits.take('C')).toBeInstanceOf(Function);
});

test('without limits there is any number of permits, all of which are counted', () => {
  const permits = createPermits<string>({});
  const releases = ['A', 'A', 'B'].map((key) => permits.take(key));
  expect([permits.used(), permits.limit]).toEqual([3, Infinity]);
  for (const release of releases) release?.();
  expect(permits.used()).toBe(0);
});

test('no permits at all are no error', () => {
  const permits = createPermits({ ofAll: 0 });
  expect([permits.take(), permits.used(), permits.limit]).toEqual([undefined, 0, 0]);
});

test.each([
  ['of all, of which a key may have half', 'rollouts_at_work', { limit: 3, used: 3, hits: 3 }],
  ['of the key that has the most', 'resends_of_a_user', { limit: 2, used: 2, hits: 2 }],
] as const)(
  'their bound reports the permits %s, and everyone who got none',
  async (_of, name, reported) => {
    const registry = new Registry();
    const permits = createBoundPermits(name, createBounds(registry), reported.limit);
    const reports = async () => ({
      limit: await seriesOf(registry, 'bound_limit', name),
      used: await seriesOf(registry, 'bound_used', name),
      hits: await seriesOf(registry, 'bound_hits_total', name),
    });
    expect(await reports()).toEqual({ limit: reported.limit, used: 0, hits: 0 });
    const releases = ['A', 'A', 'A', 'B', 'C'].map((key) => permits.take(key));
    permits.hit('A');
    expect(await reports()).toEqual(reported);
    for (const release of releases) release?.();
    expect(await reports()).toEqual({ ...reported, used: 0 });
  },
);

test('half of the permits are one at least', () => {
  expect([0, 1, 2, 3, 1_000].map(halfOf)).toEqual([1, 1, 1, 1, 500]);
});
