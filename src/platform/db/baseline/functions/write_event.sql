-- Writes one event for everybody whom it is to be told, in the statement that calls it: it exists if and only if what
-- it tells of was committed. Told are the users who have the store, who made the system, and the user named, as far as
-- they are active and want it. As the statement is committed, the workers are notified. Returns how many were written. A
-- `with` query that calls it has to be read by the statement, or Postgres does not run it.
create function write_event(
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
