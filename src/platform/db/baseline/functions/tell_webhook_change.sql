-- A webhook of an inventory system that is paused, works again or is disabled is told.
create function tell_webhook_change() returns trigger
language plpgsql as $$
declare
  facts json;
begin
  select to_json(shown) into facts from (
    select new.type, new.inventory_system_id, new.url, new.state, new.disabled_reason,
      api_time(new.paused_until) as paused_until
  ) as shown;
  if new.told_paused <> old.told_paused then
    perform write_event(case when new.told_paused then 'webhook.paused' else 'webhook.resumed' end, now(),
      facts, about_system => new.inventory_system_id);
  end if;
  if new.state = 'disabled' and old.state = 'enabled' then
    perform write_event('webhook.disabled', now(), facts,
      about_system => new.inventory_system_id);
  end if;
  return null;
end
$$;
