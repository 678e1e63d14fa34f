import { Registry } from 'prom-client';
import { createBounds } from '../../src/platform/config/bounds';
import { createPushPlaces } from '../../src/uploads/push-places';
import { seriesOf } from '../support/series-of';

test('an integration has its own places, as many as its limit', () => {
  const pushPlaces = createPushPlaces(createBounds(new Registry()));
  const [leave, , third] = [1, 2, 3].map(() => pushPlaces.enter(7, 2));
  expect(third).toBeUndefined();
  expect(pushPlaces.free(7, 2)).toBe(0);
  expect(pushPlaces.enter(8, 1)).toBeInstanceOf(Function);
  leave?.();
  expect(pushPlaces.free(7, 2)).toBe(1);
  expect(pushPlaces.enter(7, 2)).toBeInstanceOf(Function);
});

test('a lowered limit applies as pushes end, a raised one at once', () => {
  const pushPlaces = createPushPlaces(createBounds(new Registry()));
  const leaves = [1, 2, 3].map(() => pushPlaces.enter(7, 3));
  expect(pushPlaces.free(7, 1)).toBe(0);
  for (const leave of leaves.slice(1)) leave?.();
  expect(pushPlaces.enter(7, 1)).toBeUndefined();
  expect(pushPlaces.enter(7, 500)).toBeInstanceOf(Function);
});

test('it reports how full the fullest was, and how often a push had to wait', async () => {
  const registry = new Registry();
  const pushPlaces = createPushPlaces(createBounds(registry));
  const series = (name: string) => seriesOf(registry, name, 'pushes_to_an_integration');
  const leaves = [1, 2, 3, 4, 5].map(() => pushPlaces.enter(7, 3));
  pushPlaces.enter(8, 3);
  for (const leave of leaves) leave?.();
  expect(await series('bound_used')).toBe(3);
  expect(await series('bound_used')).toBe(0);
  expect(await series('bound_hits_total')).toBe(2);
  expect(await series('bound_limit')).toBe(500);
});
