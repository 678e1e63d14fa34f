-- What waits stands apart from what has ended. `delivery` is the queue: every row of it is pending, so that it and its
-- indexes are as large as what waits. A delivery that ends moves to `ended_delivery` in the statement that ends it, with
-- its attempts, and is never changed there; a resend moves it back.
create type ended_attempt as (
  number integer,
  started_at timestamptz,
  duration_ms integer,
  status integer,
  error text,
  response text
);

-- Partitioned by the time of its end: what is in a partition has its time over together, so that it is dropped as a
-- whole. The sweep makes partitions ahead; the default one takes what has none, and is emptied row by row.
create table ended_delivery (
  delivery_id text not null,
  subscription_id text not null,
  user_id text not null,
  inventory_system_id uuid,
  store_id bigint,
  sequence bigint not null,
  created_at timestamptz not null,
  finished_at timestamptz not null,
  attempts_made integer not null,
  attempts_before_resend integer not null,
  receiver_status integer,
  type smallint not null,
  event_type text,
  state text not null
    check (state in ('delivered', 'acknowledged', 'refused', 'exhausted', 'discarded')),
  message text,
  request_id text not null,
  -- By number.
  attempts ended_attempt[] not null,
  payload json not null,
  primary key (delivery_id, finished_at),
  constraint ended_delivery_event check ((type = 3) = (event_type is not null))
) partition by range (finished_at);
create index ended_delivery_of_subscription on ended_delivery (subscription_id, delivery_id);
create index ended_delivery_of_store on ended_delivery (store_id, delivery_id);

-- The name says from which day on and up to which, in UTC: `src/webhooks/sql/ended-partitions.ts` makes the others.
do $$
declare
  -- What ended earlier goes to the default partition.
  earliest timestamptz := now() - interval '60 days';
  first date := (
    select coalesce(min(finished_at), now()) from delivery where finished_at >= earliest
  ) at time zone 'UTC';
  day date;
begin
  for day in select generate_series(first, (now() at time zone 'UTC')::date + 3, interval '1 day') loop
    execute format(
      'create table %I partition of ended_delivery for values from (%L) to (%L)',
      'ended_delivery_' || to_char(day, 'YYYYMMDD') || '_' || to_char(day + 1, 'YYYYMMDD'),
      day || ' 00:00:00+00', day + 1 || ' 00:00:00+00');
  end loop;
end
$$;
create table ended_delivery_default partition of ended_delivery default;
create index ended_delivery_default_finished on ended_delivery_default (finished_at);

insert into ended_delivery (delivery_id, subscription_id, user_id, inventory_system_id, store_id, sequence, created_at,
  finished_at, attempts_made, attempts_before_resend, receiver_status, type, event_type, state, message, request_id,
  attempts, payload)
select d.delivery_id, d.subscription_id, d.user_id, d.inventory_system_id, d.store_id, d.sequence, d.created_at,
  d.finished_at, d.attempts_made, d.attempts_before_resend, d.receiver_status, d.type, d.event_type, d.state, d.message,
  d.request_id,
  coalesce((
    select array_agg((a.number, a.started_at, a.duration_ms, a.status, a.error, a.response)::ended_attempt order by a.number)
    from attempt a where a.delivery_id = d.delivery_id), '{}'),
  d.payload
from delivery d where d.finished_at is not null;

-- Made anew, as what is left of both is little.
alter table attempt rename to attempt_before;
alter table attempt_before rename constraint attempt_pkey to attempt_before_pkey;
-- One HTTP request of a pending delivery; goes with it when it ends.
create table attempt (
  delivery_id text not null,
  number integer not null,
  epoch bigint not null,
  started_at timestamptz not null,
  duration_ms integer not null,
  status integer,
  -- Why there is no whole answer: an outbound error code.
  error text,
  -- The first 1 KB of the answer.
  response text,
  primary key (delivery_id, number)
) with (autovacuum_vacuum_scale_factor = 0.01, autovacuum_analyze_scale_factor = 0.05);
insert into attempt (delivery_id, number, epoch, started_at, duration_ms, status, error, response)
select a.delivery_id, a.number, a.epoch, a.started_at, a.duration_ms, a.status, a.error, a.response
from attempt_before a join delivery d using (delivery_id)
where d.finished_at is null;
drop table attempt_before;

alter table delivery rename to delivery_before;
alter table delivery_before rename constraint delivery_pkey to delivery_before_pkey;
alter table delivery_before rename constraint delivery_event to delivery_before_event;
drop index delivery_pending, delivery_of_subscription, delivery_of_store, delivery_finished;
create table delivery (
  delivery_id text primary key,
  message_id text not null,
  subscription_id text not null,
  -- Null: an event.
  inventory_system_id uuid,
  type smallint not null,
  -- Of an event: `upload.ended` and so on; null for the messages to inventory systems.
  event_type text,
  -- Null: a test, which is about no store.
  store_id bigint,
  sequence bigint not null default nextval('webhook_sequence'),
  -- `json` keeps the text as it is. Read as payload::text.
  payload json not null,
  -- Of the payload as text. Null: written by a release before.
  payload_bytes integer,
  -- When the next attempt may begin; order of claiming.
  due_at timestamptz not null default now(),
  lease_epoch bigint,
  lease_until timestamptz,
  -- Numbers of attempts run on over resends; the retry table starts anew behind attempts_before_resend.
  attempts_made integer not null default 0,
  attempts_before_resend integer not null default 0,
  -- Somebody waits for the outcome until then and is to be told.
  awaited_until timestamptz,
  -- The receiver's latest words.
  receiver_status integer,
  message text,
  request_id text not null,
  user_id text not null,
  created_at timestamptz not null default now(),
  constraint delivery_event check ((type = 3) = (event_type is not null))
) with (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.01, autovacuum_analyze_scale_factor = 0.05);
insert into delivery (delivery_id, message_id, subscription_id, inventory_system_id, type, event_type, store_id, sequence, payload,
  payload_bytes, due_at, lease_epoch, lease_until, attempts_made, attempts_before_resend, awaited_until,
  receiver_status, message, request_id, user_id, created_at)
select delivery_id, message_id, subscription_id, inventory_system_id, type, event_type, store_id, sequence, payload,
  payload_bytes, due_at, lease_epoch, lease_until, attempts_made, attempts_before_resend, awaited_until,
  receiver_status, message, request_id, user_id, created_at
from delivery_before where finished_at is null;
drop table delivery_before;
create index delivery_due on delivery (subscription_id, due_at, sequence);
create index delivery_of_subscription on delivery (subscription_id, delivery_id);
create index delivery_of_store on delivery (store_id, delivery_id);

-- For whoever reads both. Conditions on it are answered by the indexes of both; one on `finished_at` keeps the
-- partitions out that cannot have the row.
create view any_delivery as
select delivery_id, message_id, subscription_id, inventory_system_id, type, event_type, store_id, sequence, payload,
  'pending'::text as state, due_at, lease_until, attempts_made, attempts_before_resend, receiver_status, message, request_id, user_id,
  created_at, null::timestamptz as finished_at, null::ended_attempt[] as attempts
from delivery
union all
select delivery_id, 'msg_' || substr(delivery_id, 5), subscription_id, inventory_system_id, type, event_type, store_id, sequence,
  payload, state, finished_at, null, attempts_made, attempts_before_resend, receiver_status, message, request_id, user_id,
  created_at, finished_at, attempts
from ended_delivery;

-- A message that will not arrive ends by being kept, and no longer by an update.
create trigger ended_delivery_events after insert on ended_delivery
  for each row
  when (new.state in ('refused', 'exhausted', 'discarded') and new.type <> 3)
  execute function tell_failed_delivery();
