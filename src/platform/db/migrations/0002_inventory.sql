-- name_key is made in the application, as in store; one inventory system of a name in the whole deployment.
create table inventory_system (
  inventory_system_id uuid primary key,
  name text not null,
  name_key text not null unique,
  created_by text not null references app_user,
  created_at timestamptz not null default now()
);
create index inventory_system_owner on inventory_system (created_by);

-- Which id the store has in the inventory system.
create table store_link (
  store_id bigint not null references store,
  inventory_system_id uuid not null references inventory_system,
  external_store_id text not null,
  created_at timestamptz not null default now(),
  primary key (store_id, inventory_system_id)
);

-- The registered webhook of one inventory system for one type: the entity behind the workflow webhooks/<id>.
-- Never deleted, so that deliveries need no foreign key to it.
create table subscription (
  subscription_id text primary key,
  inventory_system_id uuid not null references inventory_system,
  type smallint not null check (type in (1, 2)),
  url text not null,
  max_in_flight integer not null default 20 check (max_in_flight between 1 and 200),
  created_at timestamptz not null default now(),
  -- Both are sealed for the same place, so that a rotation moves one into the other as it is.
  secret_encrypted bytea not null,
  previous_secret_encrypted bytea,
  previous_valid_until timestamptz,
  state text not null default 'enabled' check (state in ('enabled', 'disabled')),
  disabled_reason text check (disabled_reason in ('gone', 'failing', 'manual')),
  -- What is known about the receiver. paused_until stays when it has passed, until a probe has answered.
  consecutive_failures integer not null default 0,
  failing_since timestamptz,
  paused_until timestamptz,
  -- Raised by each drain when it begins: what an older one has leased is free at once, and it claims nothing more.
  drain_epoch bigint not null default 0,
  -- Until then the entity looks at its rows again without being told: a NOTIFY is enough, no signal is needed.
  alive_until timestamptz,
  -- Back-off of the sweep; both start anew when a drain begins.
  sweeps integer not null default 0,
  next_sweep_at timestamptz not null default now(),
  unique (inventory_system_id, type),
  check ((state = 'disabled') = (disabled_reason is not null)),
  check ((previous_secret_encrypted is null) = (previous_valid_until is null))
) with (fillfactor = 50); -- a few rows, rewritten with every flush of outcomes

-- One for all subscriptions: what a subscription sees of it grows, with gaps.
create sequence webhook_sequence;

-- One webhook message to one subscription. No foreign keys: each insert would lock the row of the subscription (and
-- of the store, and of the user) for share, and a thousand lockers a second of one row is what multixacts are bad at.
-- A claim changes no indexed column and stays on its page (HOT), which the fill factor leaves room for.
create table delivery (
  delivery_id text primary key,
  message_id text not null,
  subscription_id text not null,
  inventory_system_id uuid not null,
  type smallint not null,
  -- Null: a test, which is about no store.
  store_id bigint,
  sequence bigint not null default nextval('webhook_sequence'),
  -- `json` keeps the text as it is. Read as payload::text.
  payload json not null,
  state text not null default 'pending'
    check (state in ('pending', 'delivered', 'acknowledged', 'refused', 'exhausted', 'discarded')),
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
  finished_at timestamptz
) with (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.01, autovacuum_analyze_scale_factor = 0.05);
-- Claims, the sweep and the discarding of what waited too long.
create index delivery_pending on delivery (subscription_id, due_at, sequence) where state = 'pending';
-- The lists of a system's owner and of a store's user: newest first.
create index delivery_of_subscription on delivery (subscription_id, delivery_id);
create index delivery_of_store on delivery (store_id, delivery_id);
create index delivery_finished on delivery (finished_at) where finished_at is not null;

-- One HTTP request of a delivery; removed together with it.
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
);

-- Stock updates to a POS that got no answer: it was not reached, or nobody knows whether it acted.
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
create index pos_request_created on pos_request (created_at);
