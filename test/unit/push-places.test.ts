import { Registry } from 'prom-client';
import { createBounds } from '../../src/platform/config/bounds';
import { createPushPlaces } from '../../src/uploads/push-places';

async function metric(registry: Registry, series: string): Promise<number> {
  const line = (await registry.metrics()).split('\n').find((each) => each.startsWith(series));
  return Number(line?.split(' ').at(-1));
}

test('an integration has its own places, as many as its limit', () => {
  const pushPlaces = createPushPlaces(createBounds(new Registry()));
  expect([1, 2, 3].map(() => pushPlaces.take(7, 2))).toEqual([true, true, false]);
  expect(pushPlaces.free(7, 2)).toBe(0);
  expect(pushPlaces.take(8, 1)).toBe(true);
  pushPlaces.giveBack(7);
  expect(pushPlaces.free(7, 2)).toBe(1);
  expect(pushPlaces.take(7, 2)).toBe(true);
});

test('a lowered limit applies as pushes end, a raised one at once', () => {
  const pushPlaces = createPushPlaces(createBounds(new Registry()));
  for (let n = 0; n < 3; n++) pushPlaces.take(7, 3);
  expect(pushPlaces.free(7, 1)).toBe(0);
  pushPlaces.giveBack(7);
  pushPlaces.giveBack(7);
  expect(pushPlaces.take(7, 1)).toBe(false);
  expect(pushPlaces.take(7, 500)).toBe(true);
});

test('it reports how full the fullest was, and how often a push had to wait', async () => {
  const registry = new Registry();
  const pushPlaces = createPushPlaces(createBounds(registry));
  for (let n = 0; n < 5; n++) pushPlaces.take(7, 3);
  pushPlaces.take(8, 3);
  expect(await metric(registry, 'bound_used{bound="pushes_to_an_integration"}')).toBe(3);
  expect(await metric(registry, 'bound_hits_total{bound="pushes_to_an_integration"}')).toBe(2);
  expect(await metric(registry, 'bound_limit{bound="pushes_to_an_integration"}')).toBe(500);
});
