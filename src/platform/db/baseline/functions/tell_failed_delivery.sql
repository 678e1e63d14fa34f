-- A message to an inventory system that will not arrive is told, unless a deletion had ordered that it does not.
create function tell_failed_delivery() returns trigger
language plpgsql as $$
declare
  facts json;
begin
  if new.state = 'discarded' and exists (
    select from discard_order o
    where o.subscription_id = new.subscription_id and (o.store_id is null or o.store_id = new.store_id)
      and new.created_at <= o.ordered_at
  ) then
    return null;
  end if;
  select to_json(shown) into facts from (
    select new.delivery_id, new.inventory_system_id, new.type, new.store_id, new.state, new.attempts_made,
      null as next_attempt_at, api_time(new.created_at) as created_at, api_time(new.finished_at) as finished_at,
      new.receiver_status, new.message
  ) as shown;
  perform write_event('delivery.failed', new.finished_at, facts, new.store_id, new.inventory_system_id,
    made_by_request => new.request_id);
  return null;
end
$$;
