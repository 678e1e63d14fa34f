-- One menu for many places. Its targets have uploads from the moment it is accepted, which take their places in the
-- queues of their stores then, and are held until it is their turn.
create table rollout (
  rollout_id text primary key,
  user_id text not null references app_user,
  request_id text not null,
  created_at timestamptz not null default now(),
  parallel integer not null check (parallel between 1 and 50),
  -- 0: never.
  stop_after_failures integer not null check (stop_after_failures >= 0),
  menu_count integer not null,
  -- What was sent beside the lists of the menu and the fields of a rollout; without a member where there was nothing.
  sent_beside json not null,

  state text not null default 'running'
    check (state in ('running', 'done', 'stopped', 'canceled', 'reverting', 'reverted')),
  -- How it will end when what has begun has ended: nothing new begins.
  ends_as text check (ends_as in ('stopped', 'canceled')),
  -- What later rollouts hold by then is replaced by the revert; what they hold since is newer than it.
  revert_began_at timestamptz,
  finished_at timestamptz,
  -- What became of the targets, once the rollout, or its revert, has ended: lists read no targets then.
  counts json,
  revert_counts json,

  -- Until then the workflow looks again without being told.
  lease_until timestamptz,
  sweeps integer not null default 0,
  next_sweep_at timestamptz not null default now()
);
-- The list of a user.
create index rollout_list on rollout (user_id, rollout_id);
-- The sweep.
create index rollout_active on rollout (next_sweep_at) where state in ('running', 'reverting');
-- For retention.
create index rollout_finished on rollout (finished_at) where finished_at is not null;

create trigger rollout_events after update on rollout
  for each row when (old.finished_at is null and new.finished_at is not null)
  execute function tell_rollout_end();
