import { connect, type Sql } from '../../src/platform/db/client';
import { createEmptyDatabase, type TestDatabase } from '../support/database';
import { deferred } from '../support/deferred';

let database: TestDatabase;

beforeAll(async () => {
  database = await createEmptyDatabase();
});

afterAll(() => database.drop());

describe('a part of the pool', () => {
  test('leaves the other connections to the rest, and a part of it leaves some of its own', async () => {
    const pool = connect(database.url, { max: 3 });
    const [reads, pages] = [pool.part(2), pool.part(2).part(1)];
    const held = deferred();
    const hold = (from: Sql) => from.begin(() => held.promise);
    try {
      const holding = [hold(reads), hold(reads), hold(reads)];
      expect(await pool`select 1 as one`).toEqual([{ one: 1 }]);
      // It waits for its part, not for the pool, which has a free one.
      expect(pool.usage()).toEqual({ max: 3, used: 2, waiting: 0 });
      held.resolve();
      await Promise.all(holding);
      const nested = deferred();
      const one = pages.begin(() => nested.promise);
      const two = pages`select 1 as one`;
      const waiting = two.then((rows) => [...rows]);
      expect(await reads`select 2 as two`).toEqual([{ two: 2 }]);
      expect(pool.usage()).toEqual({ max: 3, used: 1, waiting: 0 });
      nested.resolve();
      await one;
      expect(await waiting).toEqual([{ one: 1 }]);
      expect(pool.usage()).toEqual({ max: 3, used: 0, waiting: 0 });
    } finally {
      await pool.end();
    }
  });

  test('a statement waits no longer for its connection than one of the pool', async () => {
    const pool = connect(database.url, { max: 1, statementTimeoutMs: 500 });
    const held = deferred();
    const holding = pool.begin(() => held.promise);
    const part = pool.part(1);
    try {
      const startedAt = performance.now();
      const ends = await Promise.allSettled([part`select 1`, part`select 1`]);
      expect(ends.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
      expect(performance.now() - startedAt).toBeLessThan(1_400);
      held.resolve();
      await holding;
      expect(await part`select 1 as one`).toEqual([{ one: 1 }]);
    } finally {
      await pool.end();
    }
  });
});
