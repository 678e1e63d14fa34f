import type { Sql } from '../../src/platform/db/client';

/* Rows for the lists of pages and of the API, beside the history of ended-rows.ts. */

/**
 * So many deliveries that ended within the last hour, as of a busy service, of all subscriptions that are there; one in
 * 50 is exhausted.
 */
export async function fillLately(sql: Sql, count: number): Promise<void> {
  await sql.unsafe(`
    insert into ended_delivery (delivery_id, subscription_id, inventory_system_id, store_id, type, sequence, payload,
      state, receiver_status, request_id, user_id, created_at, finished_at, attempts_made, attempts_before_resend, attempts)
    select 'dlv_' || lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0') || left(md5(i::text), 20),
      s.subscription_id, s.inventory_system_id, l.store_id, 2, nextval('webhook_sequence'), '{"external_id":"I1"}',
      case when i % 50 = 0 then 'exhausted' else 'acknowledged' end, 204, 'late-' || i, 'usr', at, at, 1, 0,
      array[(1, at, 5, 204, null, null, null)::ended_attempt]
    from generate_series(1, ${count}) as i
      cross join lateral (select now() - i * interval '1 h' / ${count} as at) as ended
      join (select *, row_number() over () as n from subscription) s
        on s.n = 1 + i % (select count(*) from subscription)
      join store_link l using (inventory_system_id);
    analyze ended_delivery;`);
}

/** So many uploads of the last 30 days over all stores, one in 20 failed; the id of the newest. */
export async function fillUploads(sql: Sql, userId: string, count: number): Promise<string> {
  await sql.unsafe(`
    insert into integration (integration_id, app, name) values (900, 'app-b', 'App B');
    insert into document (sha256, content_gzip, size) values ('bench', '', 0);
    insert into store_integration (store_id, integration_id) select store_id, 900 from store;
    insert into publication (store_id, integration_id) select store_id, 900 from store;
    insert into menu_upload (upload_id, store_id, integration_id, seq, user_id, request_id, document_sha256, state,
        created_at, finished_at)
    select 'upl_' || lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0') || left(md5(i::text), 20),
      s.store_id, 900, i, '${userId}', 'upload-' || i, 'bench', case when i % 20 = 0 then 'failed' else 'uploaded' end, at, at
    from generate_series(1, ${count}) as i
      cross join lateral (select now() - i * interval '30 d' / ${count} as at) as ended
      join (select store_id, row_number() over () as n from store) s
        on s.n = 1 + i % (select count(*) from store);
    analyze;`);
  const [row] = await sql<{ id: string }[]>`
    select upload_id as id from menu_upload order by upload_id desc limit 1`;
  return row?.id ?? '';
}
