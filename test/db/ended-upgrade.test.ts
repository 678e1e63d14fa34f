import { migrate } from '../../src/platform/db/migrate';
import { listAttempts } from '../../src/webhooks/sql/delivery-views';
import { createDatabaseBefore } from '../support/earlier-schema';

test('an upgrade carries rows in every state over, with their attempts', async () => {
  const old = await createDatabaseBefore('ended_deliveries');
  await old.sql.unsafe(`
    insert into delivery (delivery_id, message_id, subscription_id, inventory_system_id, type, store_id, payload,
      state, attempts_made, attempts_before_resend, lease_epoch, lease_until, awaited_until, request_id, user_id,
      created_at, finished_at)
    select 'dlv_' || lpad(n::text, 32, '0'), 'msg_' || lpad(n::text, 32, '0'), 'sub_1', gen_random_uuid(), 2, 7,
      '{"b":1,"a":1.0}', state, 2, 1, 5, now() + interval '30 s', now() + interval '10 s', 'r', 'u',
      now() - n * interval '20 days',
      case when state <> 'pending' then now() - n * interval '20 days' + interval '1 h' end
    from unnest(array['pending', 'delivered', 'acknowledged', 'refused', 'exhausted', 'discarded'])
      with ordinality as each (state, n);
    insert into attempt (delivery_id, number, epoch, started_at, duration_ms, status, error, response)
    select delivery_id, number, 1, created_at, number, 503, 'timeout', 'words'
    from delivery, generate_series(1, 2) as number`);
  const shown = (table: string) => old.sql`
    select delivery_id, message_id, subscription_id, inventory_system_id, type, event_type, store_id, sequence,
      payload::text, state, attempts_made, attempts_before_resend, receiver_status, message, request_id,
      user_id, created_at, finished_at
    from ${old.sql(table)} order by delivery_id`;
  const were = [...(await shown('delivery'))];
  await migrate(old.sql);
  expect([...(await shown('any_delivery'))]).toEqual(were);
  const waiting =
    await old.sql`select delivery_id, lease_epoch, lease_until > now() as leased from delivery`;
  expect(waiting).toMatchObject([{ leaseEpoch: 5, leased: true }]);
  for (const { deliveryId } of were)
    expect(await listAttempts(old.sql, deliveryId)).toMatchObject([
      { number: 1, durationMs: 1, status: 503, error: 'timeout', response: 'words' },
      { number: 2, durationMs: 2 },
    ]);
  const [unplaced] = await old.sql`select count(*)::int as n from ended_delivery_default`;
  expect(unplaced).toEqual({ n: 0 });
  // The longest ago, 120 days, ended in the first of them.
  const [oldest, ...others] = await old.sql<{ name: string; n: number }[]>`
    select tableoid::regclass::text as name, count(*)::int as n from ended_delivery
    group by 1 order by 1`;
  expect(others).toHaveLength(4);
  expect(daysOf(oldest?.name ?? '')).toBe(2);
  await old.drop();
});

test('what stands in the default partition gets partitions as far as it is older than all; the rest stays', async () => {
  const old = await createDatabaseBefore('old_ended_deliveries');
  await old.sql.unsafe(`
    insert into ended_delivery (delivery_id, subscription_id, user_id, sequence, created_at, finished_at, attempts_made,
      attempts_before_resend, type, state, request_id, attempts, payload)
    select 'dlv_' || lpad(n::text, 32, '0'), 'sub_1', 'usr_1', n, now() - days * interval '1 day',
      now() - days * interval '1 day', 1, 0, 2, 'delivered', 'r', '{}', '{}'
    from unnest(array[400, 399, 200, 90, 1, -300]) with ordinality as each (days, n)`);
  const rows = () => old.sql`select * from ended_delivery order by delivery_id`;
  const were = [...(await rows())];
  await migrate(old.sql);
  expect([...(await rows())]).toMatchObject(were);
  const unplaced = await old.sql`select sequence::int from ended_delivery_default`;
  expect(unplaced).toEqual([{ sequence: 6 }]);
  const constraints = await old.sql`select from pg_constraint where conname = 'range'`;
  expect(constraints).toHaveLength(0);
  await old.drop();
});

/** How many days a partition has, by its name. */
function daysOf(name: string): number {
  const [from = Number.NaN, to = Number.NaN] = [...name.matchAll(/(\d{4})(\d\d)(\d\d)/g)].map(
    ([, year, month, day]) => Date.UTC(Number(year), Number(month) - 1, Number(day)),
  );
  return (to - from) / 86_400_000;
}
