-- One change of one integration, of items or of the whole store. A request makes one for each integration that it is
-- about.
create table availability_change (
  change_id text primary key,
  -- Shared by the changes of one request: what its caller waits for.
  request_row_id text not null,
  store_id bigint not null references store,
  -- Null: the caller named none that exists; `named_integration` has the words.
  integration_id bigint,
  named_integration text not null,
  kind text not null check (kind in ('items', 'pause', 'special_days')),
  cause text not null check (cause in ('api', 'stock', 'until', 'season', 'menu', 'setting')),
  state text not null default 'queued' check (state in ('queued', 'running', 'done', 'failed', 'superseded')),
  -- Null: a change of our own making.
  user_id text references app_user,
  request_id text not null,
  -- The upload behind which the app is told again.
  upload_id text,
  paused boolean,
  until timestamptz,
  reason text,
  -- Changes of one request that were refused as a whole share their items: they stand with this change of theirs. Null:
  -- a change has its own. A request of 500 items for 100 unknown integrations wrote 50,000 rows.
  items_of text,
  -- A call was begun, so the app may have acted.
  tried boolean not null default false,
  messages json not null default '[]',
  due_at timestamptz not null default now(),
  awaited_until timestamptz,
  created_at timestamptz not null default now(),
  finished_at timestamptz,
  check ((kind = 'pause') = (paused is not null))
);
-- Claims.
create index availability_change_waiting on availability_change (store_id, integration_id, due_at)
  where state in ('queued', 'running');
create index availability_change_request on availability_change (request_row_id);
create index availability_change_of_store on availability_change (store_id);
-- A queue that follows a menu looks for items that came back since the menu was sent, among months of changes.
create index availability_change_of_queue_ended
  on availability_change (store_id, integration_id, (coalesce(finished_at, 'infinity')))
  where kind = 'items';
-- The latest of a store in each integration.
create index availability_change_of_special_days on availability_change (store_id, integration_id, created_at)
  where kind = 'special_days';
-- For retention.
create index availability_change_finished on availability_change (finished_at) where finished_at is not null;

-- Deferred to the end of the transaction, as a change that is refused at once is written before its items are.
create constraint trigger availability_refused after insert on availability_change
  deferrable initially deferred
  for each row when (new.state = 'failed')
  execute function tell_failed_availability();
create constraint trigger availability_failed after update on availability_change
  deferrable initially deferred
  for each row when (old.finished_at is null and new.state = 'failed')
  execute function tell_failed_availability();
