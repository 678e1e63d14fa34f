-- A change of availability that failed, of items or of the whole store, is told with its items.
create function tell_failed_availability() returns trigger
language plpgsql as $$
declare
  facts json;
begin
  select to_json(shown) into facts from (
    select new.change_id, new.store_id, new.named_integration as integration_id, new.kind, new.state,
      limit_sentences(new.messages) as messages,
      (select coalesce(json_agg(json_build_object(
          'external_id', i.external_id, 'state', i.state, 'message', i.message) order by i.position), '[]')
        from availability_item i where i.change_id = coalesce(new.items_of, new.change_id)) as items,
      api_time(new.created_at) as created_at, api_time(new.finished_at) as finished_at
  ) as shown;
  perform write_event('availability.failed', new.finished_at, facts, new.store_id,
    made_by_request => new.request_id);
  return null;
end
$$;
