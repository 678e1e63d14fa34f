import { migrate } from '../../src/platform/db/migrate';
import { createDatabaseBefore } from '../support/earlier-schema';

test('an upgrade writes the counts of rollouts that have ended into their rows', async () => {
  const old = await createDatabaseBefore('checks_and_counts');
  await old.sql.unsafe(`
    insert into app_user (user_id, name) values ('usr_1', 'A user');
    insert into rollout (rollout_id, user_id, request_id, state, parallel, stop_after_failures, menu_count,
      sent_beside)
    select 'rol_' || state, 'usr_1', 'r', state, 10, 0, 1, '{}'
    from unnest(array['running', 'done', 'reverting', 'reverted']) as state;
    insert into rollout_target (rollout_id, position, sent, refusal, upload_id, revert_end)
    select rollout_id, n, '{}', case when n = 1 then '["No."]'::json end,
      case when n > 1 then 'upl_gone' end, case when n > 1 then 'without_previous' end
    from rollout, generate_series(1, 3) n where state <> 'done' or n < 3`);
  await migrate(old.sql);
  const none = { waiting: 0, queued: 0, running: 0, uploaded: 0, partly_uploaded: 0 };
  const counts = { ...none, failed: 0, superseded: 0, canceled: 2, refused: 1 };
  const revertCounts = { waiting: 1, reverted: 0, failed: 0, not_live: 0, without_previous: 2 };
  expect(
    await old.sql`select rollout_id, counts, revert_counts from rollout order by rollout_id`,
  ).toEqual([
    { rolloutId: 'rol_done', counts: { ...counts, canceled: 1 }, revertCounts: null },
    { rolloutId: 'rol_reverted', counts, revertCounts },
    { rolloutId: 'rol_reverting', counts, revertCounts: null },
    { rolloutId: 'rol_running', counts: null, revertCounts: null },
  ]);
  await old.drop();
});
