-- The steps of an ended upload, as its status shows them: those without a row were skipped.
create function shown_steps(ended_upload text) returns json
language sql stable as $$
  select json_agg(
    case when s.answer is null then to_json(shown)
      else (to_jsonb(shown) || jsonb_build_object('answer', s.answer))::json end order by n.place)
  from unnest(array['token', 'transform', 'images', 'items', 'push', 'confirm', 'availability'])
      with ordinality as n (name, place)
    left join upload_step s on s.upload_id = ended_upload and s.name = n.name
    cross join lateral (
      select n.name, coalesce(s.state, 'skipped') as state, coalesce(s.attempts, 0) as attempts,
        api_time(s.started_at) as started_at, api_time(s.finished_at) as finished_at
    ) as shown
  where n.name not in ('items', 'availability') or s.name is not null
$$;
