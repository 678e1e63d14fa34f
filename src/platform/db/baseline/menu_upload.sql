-- A menu that was accepted for a store and an integration, until it ends, and then as long as the retention.
create table menu_upload (
  upload_id text primary key,
  store_id bigint not null,
  integration_id bigint not null,
  -- Its place in the publication: the newest wins.
  seq bigint not null,
  user_id text not null references app_user,
  request_id text not null,
  -- The trace of the request, as W3C's `traceparent`: what is done for the row later goes on with it.
  trace_parent text,
  created_at timestamptz not null default now(),

  -- What was sent: the four lists of the menu, and beside them the two ids and members that no rule knows.
  document_sha256 text not null references document,
  sent_beside json not null default '{}',
  skip_unchanged boolean not null default false,
  -- The upload whose menu was sent again; it may be gone before this one.
  republished_from text,
  -- The upload on whose menu this change of single items was made, what it changed (`WantedChanges`), and the request.
  -- One request makes an upload for each integration; its first one keeps which others it could not change, and why.
  changed_from text,
  changes json,
  change_request_id text,
  change_refusals json,
  -- How a change reaches the app, once that is known.
  way text check (way in ('items', 'menu')),
  -- Its messages, once the app has refused it while calls about items had left the app between two menus: what was live
  -- before is pushed again, then it ends with them.
  refusal json,
  rollout_id text,
  -- Waits until its rollout releases it: it has its place in the queue, and nothing else happens to it.
  held boolean not null default false,
  released_at timestamptz,

  -- `canceled`: it waited when its store was deleted, or when its rollout or a caller ended it.
  state text not null default 'queued'
    check (state in ('queued', 'running', 'uploaded', 'partly_uploaded', 'failed', 'superseded', 'canceled')),
  attempt_no integer not null default 0,
  -- When the newest upload may be tried again; null = at once.
  next_attempt_at timestamptz,
  awaited_until timestamptz,
  run_id text,
  -- What it waits for when that is not a time: a push that ends (`push/…`), a token that another upload fetches
  -- (`token/…`). It waits here and not in a worker, where it would hold a slot and heartbeats that others need.
  waits_for text,
  -- Attempts that came to nothing but a wait; they are no failed tries of the app.
  attempts_waited integer not null default 0,

  -- The app for which its payload was made: its integration may have another one by now. Null: there is no payload yet.
  app text,
  payload_sha256 text references document,
  losses json not null default '[]',
  -- How many losses of each severity it has: lists show these, so that no list reads the losses themselves.
  loss_counts json not null default '{"block":0,"warn":0,"info":0}',
  -- What the items of the payload are called in the app, by POS id: {"I1": ["I1", "I1~option"]}. Null: there is no
  -- payload yet.
  item_ids jsonb,
  -- What the menu itself has off sale: [{"externalId", "until"}]. Its first push marks it so, unless it is a menu that
  -- was sent before; null: nothing.
  off_sale json,
  off_sale_is_marked boolean not null default false,
  -- Its items with a season: [{"externalId", "from", "until"}], days of the store; null: none. And when the last push
  -- looked which of them are off.
  seasons json,
  seasons_at timestamptz,

  task_id text,
  -- When its first push began. What the app says of menus that it got before is not about this one.
  first_push_at timestamptz,
  -- When the app took it as a task.
  pushed_at timestamptz,
  -- When the app was last asked about the task; null = not yet. Apps whose people decide are asked by the hour, and
  -- neither a restart nor a newer upload may make it more.
  task_asked_at timestamptz,
  -- The app did not answer the latest push, so it may show the menu.
  may_be_shown boolean not null default false,

  -- Why it waits (`waiting_for` in answers), written by the statements that let it wait. What the last try said, in the
  -- words of the API; null: nothing yet.
  wait_reason text,
  -- Since when `wait_reason` holds.
  waiting_since timestamptz,
  -- Tries of the app in vain, quick ones too.
  failed_tries integer not null default 0,
  -- Within a round: when the next quick try is, or when people at the app are asked again. Until then nothing is under
  -- way.
  next_try_at timestamptz,
  retry_reason text,
  retry_after_ms integer,

  finished_at timestamptz,
  messages json not null default '[]',
  -- What was live when this upload went live.
  previous_upload_id text,

  unique (store_id, integration_id, seq),
  foreign key (store_id, integration_id) references publication
);
-- Claims.
create index menu_upload_waiting on menu_upload (store_id, integration_id, seq) where state in ('queued', 'running');
-- What is overdue. A rollout holds the uploads of all its targets until it is their turn: they are not due.
create index menu_upload_due on menu_upload ((coalesce(next_attempt_at, created_at)))
  where state in ('queued', 'running') and not held;
-- Who waits for the push or the token that has ended, oldest first.
create index menu_upload_turns on menu_upload (waits_for, created_at)
  where waits_for is not null and state = 'running';
-- The lists of a store.
create index menu_upload_list on menu_upload (store_id, upload_id);
-- The overview of the console looks for publications whose last upload failed: of all uploads and of one store, without
-- reading those that went well. The condition stands in `src/console/sql/failed-publications.ts` too.
create index menu_upload_failed on menu_upload (upload_id) where state = 'failed';
create index menu_upload_failed_of_store on menu_upload (store_id, upload_id) where state = 'failed';
-- Callbacks of apps.
create index menu_upload_task on menu_upload (integration_id, task_id) where task_id is not null;
create index menu_upload_change_request on menu_upload (change_request_id) where change_request_id is not null;
create index menu_upload_rollout on menu_upload (rollout_id) where rollout_id is not null;
-- What a pass of a rollout looks at to see whether anything has changed since its last count.
create index menu_upload_of_rollout_unfinished on menu_upload (rollout_id)
  where rollout_id is not null and state in ('queued', 'running');
-- For retention: what has ended, and whether anything still refers to an upload or a document.
create index menu_upload_finished on menu_upload (finished_at) where finished_at is not null;
create index menu_upload_previous on menu_upload (previous_upload_id) where previous_upload_id is not null;
create index menu_upload_document on menu_upload (document_sha256);
create index menu_upload_payload on menu_upload (payload_sha256);

create trigger menu_upload_events after update on menu_upload
  referencing old table as before new table as after
  for each statement execute function tell_upload_ends();
