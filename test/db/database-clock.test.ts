import {
  createDatabaseClock,
  followDatabaseClock,
  skewSeconds,
} from '../../src/platform/db/database-clock';
import type { Log } from '../../src/platform/observe/log';
import { createTestDatabase, type TestDatabase } from '../support/database';
import { until } from '../support/until';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

/** Follows the database for a moment, by an own clock that is off by so much. */
async function follow(offMs: number) {
  const clock = createDatabaseClock(() => Date.now() + offMs);
  const warned: unknown[] = [];
  const log = { warn: (...said: unknown[]) => warned.push(said), info() {} } as unknown as Log;
  const before = clock.skewMs();
  const following = followDatabaseClock({ sql: database.sql, clock, log });
  await until(async () => clock.skewMs() !== null);
  await following.stop();
  return { clock, warned, before };
}

test.each([-600_000, 45_000])(
  'a process whose clock is off by %d ms knows the time and says how wrong its own is',
  async (offMs) => {
    const { clock, warned, before } = await follow(offMs);
    expect(before).toBeNull();
    expect(Math.abs(clock.now() - Date.now())).toBeLessThan(10_000);
    expect(Math.abs((skewSeconds(clock) ?? 0) - offMs / 1_000)).toBeLessThanOrEqual(10);
    expect(warned).toHaveLength(1);
  },
);

test('a clock that is nearly right is not worth a word', async () => {
  const { clock, warned } = await follow(0);
  expect(Math.abs(skewSeconds(clock) ?? 60)).toBeLessThan(10);
  expect(warned).toEqual([]);
});
