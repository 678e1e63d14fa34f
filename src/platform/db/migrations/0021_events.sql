-- Events for the platform: a user registers one webhook for what happens to their stores and systems. It is a
-- subscription of a user instead of a system, of type 3, and its messages are deliveries like all others.
alter table subscription
  alter column inventory_system_id drop not null,
  add column user_id text references app_user,
  -- Which events are wanted; null: all, also those that are added later.
  add column events text[],
  -- The platform was told that it is paused, and not yet that it works again.
  add column told_paused boolean not null default false,
  drop constraint subscription_type_check,
  add constraint subscription_type_check check (type in (1, 2, 3)),
  add constraint subscription_owner
    check ((type = 3) = (user_id is not null) and (type = 3) = (inventory_system_id is null));
update subscription set told_paused = true where paused_until is not null;
create unique index subscription_of_user on subscription (user_id) where user_id is not null;

alter table delivery
  alter column inventory_system_id drop not null,
  -- Of an event: `upload.ended` and so on; null for the messages to inventory systems.
  add column event_type text,
  add constraint delivery_event check ((type = 3) = (event_type is not null));

-- Who has a store, which every event about one asks.
create index user_store_of_store on user_store (store_id, user_id);

-- Where a run is looked at in the Temporal UI: what stands before its workflow's id. Null: nowhere.
create table trace_base (
  one boolean primary key default true check (one),
  url text
);
insert into trace_base (url) values (null);

-- A time as the API shows it.
create function api_time(given timestamptz) returns text
language sql immutable parallel safe
return to_char(given at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"');

/*
 * Writes one event for everybody whom it is to be told, in the statement that calls it: it exists if and only if what
 * it tells of was committed. Told are the users who have the store, who made the system, and the user named, as far as
 * they are active and want it. A drain that is at work is notified as the statement is committed; else the event is
 * found as what is due is. How many were written.
 * A `with` query that calls it has to be read by the statement, or Postgres does not run it.
 */
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
    select pg_notify('webhooks', s.line || ' ' || s.subscription_id)
    from made join subscription s using (subscription_id) join webhook_line w using (line)
    where w.alive_until > now() and s.state = 'enabled' and coalesce(s.paused_until <= now(), true)
  )
  select (select count(*) from made)::int into written from (select count(*) from notified) as all_notified;
  return written;
end
$$;

-- Whatever statement ends uploads tells of each, in the order of their acceptance: as the list of uploads shows it, with
-- all its messages.
create function tell_upload_ends() returns trigger
language plpgsql as $$
begin
  perform write_event('upload.ended', u.finished_at, facts, u.store_id, made_by_request => u.request_id)
  from (
    select u.*, (select to_json(shown) from (
      select u.upload_id, u.store_id, u.integration_id::text as integration_id, u.state,
        api_time(u.created_at) as created_at, api_time(u.finished_at) as finished_at,
        api_time(u.next_attempt_at) as next_attempt_at, u.republished_from, u.messages, u.loss_counts,
        (select t.url || 'menu%2F' || u.store_id || '%2F' || u.integration_id || '/' || u.run_id || '/history'
          from trace_base t) as trace_url
    ) as shown) as facts
    from after u join before b using (upload_id)
    where b.finished_at is null and u.finished_at is not null
    order by u.created_at, u.seq
  ) as u;
  return null;
end
$$;
create trigger menu_upload_events after update on menu_upload
  referencing old table as before new table as after
  for each statement execute function tell_upload_ends();

-- A message to an inventory system that will not arrive, unless a deletion had ordered that it does not.
create function tell_failed_delivery() returns trigger
language plpgsql as $$
declare
  facts json;
begin
  if new.state = 'discarded' and exists (
    select from discard_order o
    where o.subscription_id = new.subscription_id and (o.store_id is null or o.store_id = new.store_id)
      and new.created_at <= o.ordered_at
  ) then
    return null;
  end if;
  select to_json(shown) into facts from (
    select new.delivery_id, new.inventory_system_id, new.type, new.store_id, new.state, new.attempts_made,
      null as next_attempt_at, api_time(new.created_at) as created_at, api_time(new.finished_at) as finished_at,
      new.receiver_status, new.message
  ) as shown;
  perform write_event('delivery.failed', new.finished_at, facts, new.store_id, new.inventory_system_id,
    made_by_request => new.request_id);
  return null;
end
$$;
create trigger delivery_events after update on delivery
  for each row
  when (old.finished_at is null and new.state in ('refused', 'exhausted', 'discarded') and new.type <> 3)
  execute function tell_failed_delivery();

create function tell_webhook_change() returns trigger
language plpgsql as $$
declare
  facts json;
begin
  select to_json(shown) into facts from (
    select new.type, new.inventory_system_id, new.url, new.state, new.disabled_reason,
      api_time(new.paused_until) as paused_until
  ) as shown;
  if new.told_paused <> old.told_paused then
    perform write_event(case when new.told_paused then 'webhook.paused' else 'webhook.resumed' end, now(),
      facts, about_system => new.inventory_system_id);
  end if;
  if new.state = 'disabled' and old.state = 'enabled' then
    perform write_event('webhook.disabled', now(), facts,
      about_system => new.inventory_system_id);
  end if;
  return null;
end
$$;
-- Nothing is told of a webhook for events itself, nor of one that is deleted or made again.
create trigger subscription_events after update on subscription
  for each row
  when (new.type <> 3 and old.deleted_at is null and new.deleted_at is null
    and (new.told_paused <> old.told_paused or (new.state = 'disabled' and old.state = 'enabled')))
  execute function tell_webhook_change();
