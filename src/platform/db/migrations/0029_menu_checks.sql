-- Reading back what an app shows of what is live there: asked for by a caller (`check_asked` is ahead of `check_done`), or
-- due by the schedule of DRIFT_CHECK_EVERY.
alter table publication
  add column check_asked bigint not null default 0,
  add column check_done bigint not null default 0,
  add column check_asked_at timestamptz,
  add column check_awaited_until timestamptz,
  add column check_at timestamptz,
  add column check_alive_until timestamptz,
  add column check_sweeps integer not null default 0,
  add column check_next_sweep_at timestamptz not null default now(),
  -- The first changes that the last reading found.
  add column drift_changes json,
  -- The difference that was told last, so that each is told once.
  add column drift_told text;
create index publication_checks_asked on publication (check_next_sweep_at) where check_asked > check_done;
create index publication_checks_due on publication (check_at) where live_upload_id is not null;
