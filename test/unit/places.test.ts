import { Registry } from 'prom-client';
import { createBounds } from '../../src/platform/config/bounds';
import { createBoundPlaces, createPlaces, halfOf } from '../../src/platform/places';
import { seriesOf } from '../support/series-of';

test('there are so many places, and one that is given back is free again, once', () => {
  const places = createPlaces({ ofAll: 2 });
  const [first, second] = [places.enter(), places.enter()];
  expect([places.enter(), places.used(), places.limit]).toEqual([undefined, 2, 2]);
  first?.();
  first?.();
  expect(places.used()).toBe(1);
  expect([typeof places.enter(), places.enter()]).toEqual(['function', undefined]);
  second?.();
  expect([places.used(), places.takenBy()]).toEqual([1, 0]);
});

test('each key has its own places, and none is remembered that has taken none', () => {
  const places = createPlaces<string>({ ofKey: 2 });
  const leaves = ['A', 'A', 'B'].map((key) => places.enter(key));
  expect(places.enter('A')).toBeUndefined();
  expect([places.takenBy('A'), places.takenBy('B'), places.takenBy('C')]).toEqual([2, 1, 0]);
  expect([places.used(), places.limit]).toEqual([2, 2]);
  leaves[0]?.();
  expect([places.takenBy('A'), places.used()]).toEqual([1, 1]);
  for (const leave of leaves) leave?.();
  expect([places.takenBy('A'), places.takenBy('B'), places.used()]).toEqual([0, 0, 0]);
});

test('a key has its share at most of the places of all', () => {
  const places = createPlaces<string>({ ofAll: 3, ofKey: 2 });
  const leave = places.enter('A');
  places.enter('A');
  expect(places.enter('A')).toBeUndefined();
  places.enter('B');
  expect([places.enter('B'), places.enter('C')]).toEqual([undefined, undefined]);
  expect([places.used(), places.limit]).toEqual([3, 3]);
  leave?.();
  expect([places.takenBy('A'), places.takenBy('B'), places.used()]).toEqual([1, 1, 2]);
  expect(places.enter('C')).toBeInstanceOf(Function);
});

test('without limits there is any number of places, all of which are counted', () => {
  const places = createPlaces<string>({});
  const leaves = ['A', 'A', 'B'].map((key) => places.enter(key));
  expect([places.used(), places.limit]).toEqual([3, Infinity]);
  for (const leave of leaves) leave?.();
  expect(places.used()).toBe(0);
});

test('no places at all are no error', () => {
  const places = createPlaces({ ofAll: 0 });
  expect([places.enter(), places.used(), places.limit]).toEqual([undefined, 0, 0]);
});

test.each([
  ['of all', { ofAll: 3, ofKey: 2 }, { limit: 3, used: 3, hits: 3 }],
  ['of the key that has the most', { ofKey: 2 }, { limit: 2, used: 2, hits: 2 }],
])(
  'their bound reports the places %s, and everyone who got none',
  async (_of, limits, reported) => {
    const registry = new Registry();
    const places = createBoundPlaces<string>('waiting_requests', limits, createBounds(registry));
    const reports = async () => ({
      limit: await seriesOf(registry, 'bound_limit', 'waiting_requests'),
      used: await seriesOf(registry, 'bound_used', 'waiting_requests'),
      hits: await seriesOf(registry, 'bound_hits_total', 'waiting_requests'),
    });
    expect(await reports()).toEqual({ limit: reported.limit, used: 0, hits: 0 });
    const leaves = ['A', 'A', 'A', 'B', 'C'].map((key) => places.enter(key));
    places.hit('A');
    expect(await reports()).toEqual(reported);
    for (const leave of leaves) leave?.();
    expect(await reports()).toEqual({ ...reported, used: 0 });
  },
);

test('half of the places are one at least', () => {
  expect([0, 1, 2, 3, 1_000].map(halfOf)).toEqual([1, 1, 1, 1, 500]);
});
