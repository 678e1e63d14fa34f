-- What the items of a pushed menu are called in the app, by POS id: {"I1": ["I1", "I1~option"]}. Null: pushed by an earlier release.
alter table menu_upload add column item_ids jsonb;
alter table upload_step drop constraint upload_step_name_check;
alter table upload_step add constraint upload_step_name_check
  check (name in ('token', 'transform', 'images', 'push', 'confirm', 'availability'));

-- A call about items or about the store is under way: a push waits for its end, as it waits for the end of a push.
alter table publication add column call_turn text, add column call_until timestamptz;

-- One row per store and integration: the entity behind the workflow availability/<store>/<integration>.
create table availability_line (
  store_id bigint not null,
  integration_id bigint not null,
  -- Raised by each claim: what an older one still wants to write changes nothing.
  claim_no bigint not null default 0,
  -- Until then the entity looks at its rows again without being told.
  alive_until timestamptz,
  sweeps integer not null default 0,
  next_sweep_at timestamptz not null default now(),
  -- The next try of an app that failed; `retry_is_asked`: the app has asked for it, and a newer change waits as well.
  retry_at timestamptz,
  retry_is_asked boolean not null default false,
  rounds integer not null default 0,
  -- Calls are spaced by the app's rate: from then on the next one is due.
  next_call_at timestamptz not null default 'epoch',
  -- The last menu behind which the app was told again what is off.
  told_upload_id text,
  primary key (store_id, integration_id),
  foreign key (store_id, integration_id) references store_integration
);

-- One change of one integration. A request makes one for each integration that it is about.
create table availability_change (
  change_id text primary key,
  -- Shared by the changes of one request: what its caller waits for.
  request_row_id text not null,
  store_id bigint not null references store,
  -- Null: the caller named none that exists; `named_integration` has the words.
  integration_id bigint,
  named_integration text not null,
  kind text not null check (kind in ('items', 'pause')),
  cause text not null check (cause in ('api', 'stock', 'until', 'menu', 'setting')),
  state text not null default 'queued' check (state in ('queued', 'running', 'done', 'failed', 'superseded')),
  -- Null: a change of our own making.
  user_id text references app_user,
  request_id text not null,
  -- The upload behind which the app is told again.
  upload_id text,
  paused boolean,
  until timestamptz,
  reason text,
  -- A call was begun, so the app may have acted.
  tried boolean not null default false,
  messages json not null default '[]',
  due_at timestamptz not null default now(),
  awaited_until timestamptz,
  created_at timestamptz not null default now(),
  finished_at timestamptz,
  check ((kind = 'pause') = (paused is not null))
);
create index availability_change_waiting on availability_change (store_id, integration_id, due_at)
  where state in ('queued', 'running');
create index availability_change_request on availability_change (request_row_id);
create index availability_change_finished on availability_change (finished_at) where finished_at is not null;
create index availability_change_of_store on availability_change (store_id);

create table availability_item (
  change_id text not null references availability_change on delete cascade,
  position integer not null,
  store_id bigint not null,
  integration_id bigint,
  external_id text not null,
  available boolean not null,
  until timestamptz,
  state text not null check (state in ('waiting', 'done', 'failed', 'superseded')),
  tried boolean not null default false,
  message text,
  primary key (change_id, external_id)
);
create index availability_item_waiting on availability_item (store_id, integration_id, change_id, position)
  where state = 'waiting';

-- What is wanted off sale, by the API and by stock: on sale is what neither holds.
create table availability_mark (
  mark_no bigint generated always as identity unique,
  store_id bigint not null references store,
  integration_id bigint not null references integration,
  external_id text not null,
  since timestamptz not null default now(),
  by_api boolean not null,
  api_until timestamptz,
  by_stock boolean not null,
  -- The latest change about it.
  change_id text not null,
  primary key (store_id, integration_id, external_id),
  check (by_api or by_stock),
  check (by_api or api_until is null)
);
create index availability_mark_until on availability_mark (api_until) where api_until is not null;
create index availability_mark_change on availability_mark (change_id);

create table store_pause (
  store_id bigint not null references store,
  integration_id bigint not null references integration,
  since timestamptz not null default now(),
  until timestamptz,
  reason text,
  change_id text not null,
  primary key (store_id, integration_id)
);
create index store_pause_until on store_pause (until) where until is not null;
create index store_pause_change on store_pause (change_id);
