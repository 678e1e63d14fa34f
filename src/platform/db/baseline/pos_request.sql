-- A stock update to a POS that got no answer: the POS was not reached, or nobody knows whether it acted.
create table pos_request (
  pos_request_id text primary key,
  store_id bigint not null references store,
  pos_id bigint not null references pos_system,
  inventory_system_id uuid not null references inventory_system,
  user_id text not null references app_user,
  request_id text not null,
  message_id text not null,
  -- The caller's own key, which the POS got too: how a retry is recognised.
  idempotency_key text,
  body json not null,
  outcome text not null check (outcome in ('not_reached', 'unknown')),
  error text not null,
  duration_ms integer not null,
  created_at timestamptz not null default now()
);
-- For retention.
create index pos_request_created on pos_request (created_at);
-- Where the rows of a store are looked for when its data has to go.
create index pos_request_of_store on pos_request (store_id);
