-- One menu for many places. Its targets have uploads from the moment it is accepted, which take their places in the
-- lines of their stores then, and are held until it is their turn.
create table rollout (
  rollout_id text primary key,
  user_id text not null references app_user,
  request_id text not null,
  state text not null default 'running'
    check (state in ('running', 'done', 'stopped', 'canceled', 'reverting', 'reverted')),
  -- How it will end when what has begun has ended: nothing new begins.
  ends_as text check (ends_as in ('stopped', 'canceled')),
  parallel integer not null check (parallel between 1 and 50),
  -- 0: never.
  stop_after_failures integer not null check (stop_after_failures >= 0),
  menu_count integer not null,
  -- What was sent beside the lists of the menu and the fields of a rollout; without a member where there was nothing.
  sent_beside json not null,
  created_at timestamptz not null default now(),
  finished_at timestamptz,
  -- Until then the workflow looks again without being told.
  alive_until timestamptz,
  sweeps integer not null default 0,
  next_sweep_at timestamptz not null default now()
);
create index rollout_list on rollout (user_id, rollout_id);
create index rollout_active on rollout (next_sweep_at) where state in ('running', 'reverting');
create index rollout_finished on rollout (finished_at) where finished_at is not null;

create table rollout_target (
  rollout_id text not null references rollout on delete cascade,
  -- From 0, in the order in which they were sent.
  position integer not null,
  -- The two ids as they were sent, and as what they were read.
  sent json not null,
  store_id bigint,
  integration_id bigint,
  -- Null: refused when the rollout was accepted.
  upload_id text,
  -- The sentences of a target that is refused.
  refusal json,
  -- The upload that brings back what was live before.
  revert_upload_id text,
  -- Why there is none, or none that came to something.
  revert_end text check (revert_end in ('failed', 'not_live', 'without_previous')),
  primary key (rollout_id, position)
);

alter table menu_upload add column rollout_id text;
-- Waits until its rollout releases it: it has its place in line, and nothing else happens to it.
alter table menu_upload add column held boolean not null default false;
alter table menu_upload add column released_at timestamptz;
create index menu_upload_rollout on menu_upload (rollout_id) where rollout_id is not null;

-- What became of each target. `waiting`: held until it is its turn. `is_at_work`: it has a place among those that are
-- done at once, which it gives back while it waits for the next try of an app that stays away.
create view rollout_target_state as
select t.*, u.messages,
  case when t.refusal is not null then 'refused'
    -- Its store was purged.
    when u.upload_id is null then 'canceled'
    when u.held and u.state = 'queued' then 'waiting'
    else u.state end as state,
  coalesce((u.state = 'queued' and not u.held) or (u.state = 'running'
    and not coalesce(u.next_attempt_at > now() and u.waits_for is null, false)), false) as is_at_work,
  case when t.revert_end is not null then t.revert_end
    when t.revert_upload_id is null then 'waiting'
    when r.state in ('uploaded', 'partly_uploaded') then 'reverted'
    when r.state = 'failed' then 'failed'
    when r.state in ('queued', 'running') then 'waiting'
    else 'not_live' end as revert_state,
  coalesce(r.state = 'queued' or (r.state = 'running'
    and not coalesce(r.next_attempt_at > now() and r.waits_for is null, false)), false) as is_revert_at_work
from rollout_target t
left join menu_upload u on u.upload_id = t.upload_id
left join menu_upload r on r.upload_id = t.revert_upload_id;

-- Counts of the targets of a rollout by state, with a member for each of `states`.
create function count_targets(which text, states text[], is_revert boolean) returns json
language sql stable as $$
  select json_object_agg(s.state, (
    select count(*) from rollout_target_state t
    where t.rollout_id = which
      and s.state = case when is_revert then t.revert_state else t.state end) order by s.place)
  from unnest(states) with ordinality as s (state, place)
$$;

-- A rollout that ended, or was taken back, is told as its status shows it.
create function tell_rollout_end() returns trigger
language plpgsql as $$
declare
  facts json;
begin
  select to_json(shown) into facts from (
    select new.rollout_id, new.state, new.parallel, new.stop_after_failures,
      api_time(new.created_at) as created_at, api_time(new.finished_at) as finished_at,
      count_targets(new.rollout_id, array['waiting', 'queued', 'running', 'uploaded', 'partly_uploaded',
        'failed', 'superseded', 'canceled', 'refused'], false) as counts,
      case when new.state = 'reverted' then count_targets(new.rollout_id,
        array['waiting', 'reverted', 'failed', 'not_live', 'without_previous'], true) end as revert
  ) as shown;
  perform write_event('rollout.ended', new.finished_at, facts, about_user => new.user_id,
    made_by_request => new.request_id);
  return null;
end
$$;
create trigger rollout_events after update on rollout
  for each row when (old.finished_at is null and new.finished_at is not null)
  execute function tell_rollout_end();

-- As before, with the rollout of an upload; the uploads that a rollout never released are told by its counts.
create or replace function tell_upload_ends() returns trigger
language plpgsql as $$
begin
  perform write_event('upload.ended', u.finished_at, facts, u.store_id, made_by_request => u.request_id)
  from (
    select u.*, (select to_json(shown) from (
      select u.upload_id, u.store_id, u.integration_id::text as integration_id, u.state,
        api_time(u.created_at) as created_at, api_time(u.finished_at) as finished_at,
        api_time(u.next_attempt_at) as next_attempt_at, u.republished_from, u.rollout_id, u.messages,
        u.loss_counts,
        (select t.url || 'menu%2F' || u.store_id || '%2F' || u.integration_id || '/' || u.run_id || '/history'
          from trace_base t) as trace_url
    ) as shown) as facts
    from after u join before b using (upload_id)
    where b.finished_at is null and u.finished_at is not null
      and not (u.held and u.state = 'canceled')
    order by u.created_at, u.seq
  ) as u;
  return null;
end
$$;
