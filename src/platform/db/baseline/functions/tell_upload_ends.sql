-- Whatever statement ends uploads tells of each, in the order of their acceptance: what the URL of the upload says. The
-- uploads that a rollout never released are told by its counts.
create function tell_upload_ends() returns trigger
language plpgsql as $$
begin
  perform write_event('upload.ended', u.finished_at, facts, u.store_id, made_by_request => u.request_id)
  from (
    select u.*, (select case when u.changed_from is null then to_json(shown)
        else (to_jsonb(shown) || jsonb_build_object('changed_from', u.changed_from))::json end from (
      select u.upload_id, u.store_id, u.integration_id::text as integration_id, u.state,
        api_time(u.created_at) as created_at, api_time(u.finished_at) as finished_at,
        api_time(u.next_attempt_at) as next_attempt_at, u.republished_from, u.rollout_id, u.messages,
        u.loss_counts, shown_steps(u.upload_id) as steps,
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
