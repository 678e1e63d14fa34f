-- Events say what the URL of their subject says.

-- The messages of an answer: each once, at most 50, and a 51st that counts the others.
create function limit_sentences(messages json) returns json
language sql immutable as $$
  with said as (
    select sentence, row_number() over (order by min(place)) as place
    from json_array_elements_text(messages) with ordinality as m (sentence, place) group by sentence
  ), left_out as (
    select count(*) as more from said where place > 50
  ), shown as (
    select sentence, place from said where place <= 50
    union all
    select case more when 1 then 'There is 1 more error.' else 'There are ' || more || ' more errors.' end, 51
    from left_out where more > 0
  )
  select coalesce(json_agg(sentence order by place), '[]') from shown
$$;

create or replace function tell_failed_availability() returns trigger
language plpgsql as $$
declare
  facts json;
begin
  select to_json(shown) into facts from (
    select new.change_id, new.store_id, new.named_integration as integration_id, new.kind, new.state,
      limit_sentences(new.messages) as messages,
      (select coalesce(json_agg(json_build_object(
          'external_id', i.external_id, 'state', i.state, 'message', i.message) order by i.position), '[]')
        from availability_item i where i.change_id = new.change_id) as items,
      api_time(new.created_at) as created_at, api_time(new.finished_at) as finished_at
  ) as shown;
  perform write_event('availability.failed', new.finished_at, facts, new.store_id,
    made_by_request => new.request_id);
  return null;
end
$$;

-- The steps of an ended upload, as its status shows them: those without a row were skipped.
create function shown_steps(ended_upload text) returns json
language sql stable as $$
  select json_agg(
    case when s.answer is null then to_json(shown)
      else (to_jsonb(shown) || jsonb_build_object('answer', s.answer))::json end order by n.place)
  from unnest(array['token', 'transform', 'images', 'push', 'confirm', 'availability'])
      with ordinality as n (name, place)
    left join upload_step s on s.upload_id = ended_upload and s.name = n.name
    cross join lateral (
      select n.name, coalesce(s.state, 'skipped') as state, coalesce(s.attempts, 0) as attempts,
        api_time(s.started_at) as started_at, api_time(s.finished_at) as finished_at
    ) as shown
  where n.name <> 'availability' or s.name is not null
$$;

create or replace function tell_upload_ends() returns trigger
language plpgsql as $$
begin
  perform write_event('upload.ended', u.finished_at, facts, u.store_id, made_by_request => u.request_id)
  from (
    select u.*, (select to_json(shown) from (
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
