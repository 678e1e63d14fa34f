-- A reading differed from what is live while an upload of our own might be shown already: it is made again after that
-- upload.
alter table publication add column check_again boolean not null default false;
create index publication_checks_again on publication (check_next_sweep_at) where check_again;

alter table rollout
  -- What later rollouts hold by then is replaced by the revert; what they hold since is newer than it.
  add column revert_began_at timestamptz,
  -- What became of the targets, once the rollout, or its revert, has ended: lists read no targets then.
  add column counts json,
  add column revert_counts json;

-- What a pass looks at to see whether anything has changed since its last count.
create index menu_upload_of_rollout_unfinished on menu_upload (rollout_id)
  where rollout_id is not null and state in ('queued', 'running');

with each as (
  select o.rollout_id, s.state, s.place, count(t.position) as count
  from rollout o
  cross join unnest(array['waiting', 'queued', 'running', 'uploaded', 'partly_uploaded', 'failed', 'superseded',
    'canceled', 'refused']) with ordinality as s (state, place)
  left join rollout_target_state t on t.rollout_id = o.rollout_id and t.state = s.state
  where o.state <> 'running' group by 1, 2, 3
), counted as (
  select rollout_id, json_object_agg(state, count order by place) as counts from each group by 1
)
update rollout o set counts = c.counts from counted c where c.rollout_id = o.rollout_id;

with each as (
  select o.rollout_id, s.state, s.place, count(t.position) as count
  from rollout o
  cross join unnest(array['waiting', 'reverted', 'failed', 'not_live', 'without_previous'])
    with ordinality as s (state, place)
  left join rollout_target_state t on t.rollout_id = o.rollout_id and t.revert_state = s.state
  where o.state = 'reverted' group by 1, 2, 3
), counted as (
  select rollout_id, json_object_agg(state, count order by place) as counts from each group by 1
)
update rollout o set revert_counts = c.counts from counted c where c.rollout_id = o.rollout_id;

-- As before, with the counts that the end has written; a worker of an earlier release writes none.
create or replace function tell_rollout_end() returns trigger
language plpgsql as $$
declare
  facts json;
begin
  select to_json(shown) into facts from (
    select new.rollout_id, new.state, new.parallel, new.stop_after_failures,
      api_time(new.created_at) as created_at, api_time(new.finished_at) as finished_at,
      coalesce(new.counts, count_targets(new.rollout_id, array['waiting', 'queued', 'running', 'uploaded',
        'partly_uploaded', 'failed', 'superseded', 'canceled', 'refused'], false)) as counts,
      case when new.state = 'reverted' then coalesce(new.revert_counts, count_targets(new.rollout_id,
        array['waiting', 'reverted', 'failed', 'not_live', 'without_previous'], true)) end as revert
  ) as shown;
  perform write_event('rollout.ended', new.finished_at, facts, about_user => new.user_id,
    made_by_request => new.request_id);
  return null;
end
$$;
