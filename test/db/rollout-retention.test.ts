import { removeExpiredRollouts } from '../../src/rollouts/sql/rollouts';
import { createTestDatabase, type TestDatabase } from '../support/database';
import { prepareUploadRows } from '../support/upload-rows';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const LIMIT = 1_000;

/** Rollouts that have ended one after the other, the last one `days` ago. */
async function putRollouts(count: number, targets: number, days: number): Promise<void> {
  const { sql } = database;
  const { userId } = await prepareUploadRows(sql);
  await sql`
    insert into rollout (rollout_id, user_id, request_id, state, parallel, stop_after_failures,
      menu_count, sent_beside, finished_at)
    select 'rol_' || ${days}::text || '_' || n, ${userId}, 'request', 'done', 50, 0, 1, '{"a":1}',
      now() - ${days}::int * interval '1 day' - n * interval '1 minute'
    from generate_series(1, ${count}::int) as n`;
  await sql`
    insert into rollout_target (rollout_id, position, sent)
    select rollout_id, position, '{}'
    from rollout, generate_series(0, ${targets}::int - 1) as position
    where rollout_id like 'rol_' || ${days}::text || '_%'`;
}

async function remaining(): Promise<readonly string[]> {
  const rows = await database.sql<{ rolloutId: string }[]>`
    select rollout_id from rollout order by finished_at`;
  return rows.map(({ rolloutId }) => rolloutId);
}

test('a statement removes the oldest rollouts, until their targets are as many as its limit', async () => {
  await putRollouts(4, 600, 31);
  await putRollouts(1, 1, 29);
  const remove = () => removeExpiredRollouts(database.sql, 30, LIMIT);
  expect(await remove()).toBe(1_200);
  expect(await remaining()).toEqual(['rol_31_2', 'rol_31_1', 'rol_29_1']);
  expect(await remove()).toBe(1_200);
  expect(await remove()).toBe(0);
  expect(await remaining()).toEqual(['rol_29_1']);
  expect(await database.sql`select from rollout_target`).toHaveLength(1);
});

test('a rollout without targets is removed', async () => {
  await putRollouts(1, 0, 32);
  expect(await removeExpiredRollouts(database.sql, 30, LIMIT)).toBe(1);
  expect(await remaining()).toEqual(['rol_29_1']);
});
