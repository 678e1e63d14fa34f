import { Registry } from 'prom-client';
import { createBounds } from '../../src/platform/config/bounds';
import { createPushRooms } from '../../src/uploads/push-rooms';

async function metric(registry: Registry, series: string): Promise<number> {
  const line = (await registry.metrics()).split('\n').find((each) => each.startsWith(series));
  return Number(line?.split(' ').at(-1));
}

test('an integration has its own places, as many as its limit', () => {
  const rooms = createPushRooms(createBounds(new Registry()));
  expect([1, 2, 3].map(() => rooms.enter(7, 2))).toEqual([true, true, false]);
  expect(rooms.free(7, 2)).toBe(0);
  expect(rooms.enter(8, 1)).toBe(true);
  rooms.leave(7);
  expect(rooms.free(7, 2)).toBe(1);
  expect(rooms.enter(7, 2)).toBe(true);
});

test('a lowered limit applies as pushes end, a raised one at once', () => {
  const rooms = createPushRooms(createBounds(new Registry()));
  for (let n = 0; n < 3; n++) rooms.enter(7, 3);
  expect(rooms.free(7, 1)).toBe(0);
  rooms.leave(7);
  rooms.leave(7);
  expect(rooms.enter(7, 1)).toBe(false);
  expect(rooms.enter(7, 500)).toBe(true);
});

test('it reports how full the fullest was, and how often a push had to wait', async () => {
  const registry = new Registry();
  const rooms = createPushRooms(createBounds(registry));
  for (let n = 0; n < 5; n++) rooms.enter(7, 3);
  rooms.enter(8, 3);
  expect(await metric(registry, 'bound_used{bound="pushes_to_an_integration"}')).toBe(3);
  expect(await metric(registry, 'bound_hits_total{bound="pushes_to_an_integration"}')).toBe(2);
  expect(await metric(registry, 'bound_limit{bound="pushes_to_an_integration"}')).toBe(500);
});
