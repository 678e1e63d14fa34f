-- An attempt, as in `attempt`.
create type ended_attempt as (
  number integer,
  started_at timestamptz,
  duration_ms integer,
  status integer,
  error text,
  detail text,
  response text
);

-- A delivery that has ended, with its attempts; never changed here. Partitioned by the time of its end: what is in a
-- partition has its time over together, so that it is dropped as a whole. The sweep makes partitions ahead
-- (`src/webhooks/sql/ended-partitions.ts`); the default one takes what has none, and is emptied row by row.
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

-- Lists by state: what was acknowledged is most of all and comes by the indexes above; any other state may be rare
-- among it, so each is found by its name. A stock movement that arrives pays for none of them. The condition stands in
-- `src/webhooks/sql/delivery-views.ts` too.
create index ended_delivery_in_state on ended_delivery (state, delivery_id) where state <> 'acknowledged';
create index ended_delivery_of_subscription_in_state on ended_delivery (subscription_id, state, delivery_id)
  where state <> 'acknowledged';
create index ended_delivery_of_store_in_state on ended_delivery (store_id, state, delivery_id)
  where state <> 'acknowledged';
-- Successes that came late, after failures or a resend: the only ones that are not found among the newest deliveries.
-- The condition stands in `src/webhooks/sql/subscription-health.ts` too.
create index ended_delivery_late on ended_delivery (subscription_id, finished_at)
  where finished_at - created_at > interval '10 s' and state in ('delivered', 'acknowledged');

-- The first partitions. The name says from which day on and up to which, in UTC.
do $$
declare
  today date := (now() at time zone 'UTC')::date;
  day date;
begin
  for day in select generate_series(today, today + 3, interval '1 day') loop
    execute format(
      'create table %I partition of ended_delivery for values from (%L) to (%L)',
      'ended_delivery_' || to_char(day, 'YYYYMMDD') || '_' || to_char(day + 1, 'YYYYMMDD'),
      day || ' 00:00:00+00', day + 1 || ' 00:00:00+00');
  end loop;
end
$$;
create table ended_delivery_default partition of ended_delivery default;
create index ended_delivery_default_finished on ended_delivery_default (finished_at);

-- A message that will not arrive ends by being kept. Events themselves are not told.
create trigger ended_delivery_events after insert on ended_delivery
  for each row
  when (new.state in ('refused', 'exhausted', 'discarded') and new.type <> 3)
  execute function tell_failed_delivery();
