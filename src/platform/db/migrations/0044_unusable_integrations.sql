-- When a line with waiting changes was last found without an integration that can be called. What is kept for such a
-- time, such as the end of an `until`, is not given up for its age at the first call that fails afterwards.
alter table availability_line add column unusable_at timestamptz;

-- Changes of one request that were refused as a whole share their items: they stand with this change of theirs. Null: a
-- change has its own. A request of 500 items for 100 unknown integrations wrote 50,000 rows.
alter table availability_change add column items_of text;

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
        from availability_item i where i.change_id = coalesce(new.items_of, new.change_id)) as items,
      api_time(new.created_at) as created_at, api_time(new.finished_at) as finished_at
  ) as shown;
  perform write_event('availability.failed', new.finished_at, facts, new.store_id,
    made_by_request => new.request_id);
  return null;
end
$$;
