-- What a store shows in an integration: the work of the workflow menu/<store>/<integration>, and what is live.
create table publication (
  store_id bigint not null,
  integration_id bigint not null,
  -- The number of the last accepted upload. It grows under this row's lock, so the order of the numbers is the order of
  -- commits.
  last_seq bigint not null default 0,
  claimed_seq bigint not null default 0,
  live_upload_id text,
  live_document_sha256 text,
  live_since timestamptz,
  -- Where the latest push went: the app, its address, our client and the store there, as
  -- `src/uploads/sql/upload-target.ts` writes them. What was live in one place says nothing about another. Only the
  -- app: nothing was pushed since the integration got it. Null: nothing was ever pushed.
  pushed_to text,
  -- Calls about single items have begun since, so the app may show a menu between the live one and a changed one. The
  -- next menu that goes live ends it.
  has_item_calls boolean not null default false,

  -- An asynchronous app may still be working on this upload: no newer menu is pushed before the later of both times.
  slot_upload_id text,
  -- It has a task, which we ask after; ends with the upload.
  slot_until timestamptz,
  -- It was pushed and no answer was read, so there may be a task that nobody knows the id of; outlives the upload.
  slot_settles_until timestamptz,

  -- Who pushes to the app, and until when its lease holds. Temporal gives a step to another call when heartbeats
  -- are late, which on a busy machine happens to calls that are at work: without this, two menus would be on their way
  -- at once. An id and no time: two calls of one push began in the same millisecond, in a worker that had been stopped
  -- and was handed both at once.
  push_holder text,
  push_until timestamptz,
  -- A call about items or about the store is under way: a push waits for its end, as for that of a push.
  call_holder text,
  call_until timestamptz,
  -- Until then the app is not asked again what it shows. Null: whenever.
  next_read_at timestamptz,

  -- Until then the workflow looks at its rows again without being told: nobody needs to wake it.
  lease_until timestamptz,
  sweeps integer not null default 0,
  next_sweep_at timestamptz not null default now(),

  -- Set when a menu goes live where items were switched before, until the queue of availability has followed it: the
  -- sweep looks at these, and not at every queue.
  is_unfollowed boolean not null default false,

  -- Reading back what the app shows: asked for by a caller (`check_asked` is ahead of `check_done`), or due by the
  -- schedule of DRIFT_CHECK_EVERY.
  check_asked bigint not null default 0,
  check_done bigint not null default 0,
  check_asked_at timestamptz,
  check_awaited_until timestamptz,
  check_at timestamptz,
  -- A reading differed from what is live while an upload of our own might be shown already: it is made again after that
  -- upload.
  check_again boolean not null default false,
  check_lease_until timestamptz,
  check_sweeps integer not null default 0,
  check_next_sweep_at timestamptz not null default now(),
  -- Whether the app still shows what is live, by the last reading, and the first changes that it found.
  drift_state text not null default 'unknown' check (drift_state in ('unknown', 'same', 'changed', 'unreadable')),
  drift_checked_at timestamptz,
  drift_changes_count integer,
  drift_changes json,
  -- The difference that was told last, so that each is told once.
  drift_told text,

  primary key (store_id, integration_id),
  foreign key (store_id, integration_id) references store_integration
);
create index publication_unfollowed on publication (store_id, integration_id) where is_unfollowed;
create index publication_checks_asked on publication (check_next_sweep_at) where check_asked > check_done;
create index publication_checks_again on publication (check_next_sweep_at) where check_again;
-- Readings that are planned: by integration, because those of an inactive one stay overdue and would be passed over by
-- each round of the sweep.
create index publication_checks_of_integration on publication (integration_id, check_at)
  where check_at is not null and live_upload_id is not null;
-- The live menus without a planned reading: by integration, because most apps cannot be read and keep theirs unplanned.
create index publication_unplanned on publication (integration_id, store_id)
  where check_at is null and live_upload_id is not null;
-- Live menus that the apps no longer show are listed on the overview of the console and counted by each scrape of the
-- metrics: few among many. The condition stands in their statements too.
create index publication_drifted on publication (store_id, integration_id) where drift_state = 'changed';
