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
      case when state <> 'pending' then now() - n * interval '20 days' + interval '1 s' end
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

/** How many days a partition has, by its name. */
function daysOf(name: string): number {
  const [from = Number.NaN, to = Number.NaN] = [...name.matchAll(/(\d{4})(\d\d)(\d\d)/g)].map(
    ([, year, month, day]) => Date.UTC(Number(year), Number(month) - 1, Number(day)),
  );
  return (to - from) / 86_400_000;
}
