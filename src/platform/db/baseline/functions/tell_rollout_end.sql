-- A rollout that ended, or was taken back, is told as its status shows it.
create function tell_rollout_end() returns trigger
language plpgsql as $$
declare
  facts json;
begin
  select to_json(shown) into facts from (
    select new.rollout_id, new.state, new.parallel, new.stop_after_failures,
      api_time(new.created_at) as created_at, api_time(new.finished_at) as finished_at,
      new.counts, new.revert_counts as revert
  ) as shown;
  perform write_event('rollout.ended', new.finished_at, facts, about_user => new.user_id,
    made_by_request => new.request_id);
  return null;
end
$$;
