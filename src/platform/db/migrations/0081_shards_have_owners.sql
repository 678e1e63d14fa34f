-- A worker owns a shard of webhooks by the shard's row; the worker's own row is the lease of all that it owns.
drop table webhook_worker;
create table webhook_worker (
  worker uuid primary key,
  -- For people: the process, as Temporal names it too.
  name text not null,
  -- Until then it has its shards, unless the session that its lock hangs on has ended.
  lease_until timestamptz not null,
  -- It stops: it counts no longer among those that share the shards.
  leaving boolean not null default false
) with (fillfactor = 50, autovacuum_vacuum_threshold = 1000);

alter table webhook_line rename to webhook_shard;
alter table webhook_shard rename column line to shard;
alter index webhook_line_pkey rename to webhook_shard_pkey;
alter index webhook_line_epoch rename to webhook_shard_epoch;
alter table webhook_shard drop column alive_until, drop column offered_until;
update webhook_shard set worker = null;
alter table subscription drop column line, drop column moved_at;
delete from webhook_shard where shard > 15;
-- The first byte of the hash of its id.
alter table subscription add column shard smallint not null
  generated always as ((get_byte(decode(md5(subscription_id), 'hex'), 0) % 16)::smallint) stored references webhook_shard;
drop table webhook_shards;

create or replace function write_event(
  event text,
  happened_at timestamptz,
  facts json,
  about_store bigint default null,
  about_system uuid default null,
  about_user text default null,
  made_by_request text default null
) returns integer
language plpgsql as $$
declare
  written integer;
begin
  with told as (
    select us.user_id from user_store us where us.store_id = about_store
    union
    select i.created_by from inventory_system i where i.inventory_system_id = about_system
    union
    select about_user
  ), body as (
    select format('{"type":%s,"timestamp":"%s","data":%s}', to_json(event), api_time(happened_at), facts) as text
  ), made as (
    insert into delivery (delivery_id, message_id, subscription_id, type, event_type, store_id, payload,
      payload_bytes, request_id, user_id)
    select 'dlv_' || id.stem, 'msg_' || id.stem, s.subscription_id, 3, event, about_store, body.text::json,
      octet_length(body.text), coalesce(made_by_request, 'dlv_' || id.stem), s.user_id
    from told
      join subscription s on s.user_id = told.user_id
      join app_user u on u.user_id = s.user_id
      cross join body
      -- As ids are made in the application: 48 bits of time, then random ones.
      cross join lateral (
        select lpad(to_hex((extract(epoch from clock_timestamp()) * 1000)::bigint), 12, '0')
          || right(replace(gen_random_uuid()::text, '-', ''), 20) as stem
        where s.user_id is not null) as id
    where s.deleted_at is null and u.state = 'active' and (s.events is null or event = any (s.events))
    returning subscription_id
  ), notified as (
    select pg_notify('webhooks', s.shard || ' ' || s.subscription_id)
    from made join subscription s using (subscription_id)
    where s.state = 'enabled' and coalesce(s.paused_until <= now(), true)
  )
  select (select count(*) from made)::int into written from (select count(*) from notified) as all_notified;
  return written;
end
$$;
