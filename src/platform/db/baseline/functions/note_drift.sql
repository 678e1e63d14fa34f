-- Whatever statement tells another difference of a live menu, or that there is none any more, notes it for the timeline.
create function note_drift() returns trigger
language plpgsql as $$
begin
  insert into drift_finding (store_id, integration_id, found_at, state, changes_count)
  values (new.store_id, new.integration_id, new.drift_checked_at, new.drift_state, new.drift_changes_count);
  return null;
end
$$;
