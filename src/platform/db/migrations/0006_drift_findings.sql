-- What readings of live menus found, for the timeline of a store: a new difference, or that there is none any more. The
-- publication itself keeps the last reading only.
create table drift_finding (
  finding_no bigint generated always as identity primary key,
  store_id bigint not null,
  integration_id bigint not null,
  found_at timestamptz not null,
  state text not null check (state in ('changed', 'same')),
  -- Null: the app shows a menu between two, which nobody has counted.
  changes_count integer
);
create index drift_finding_of_store on drift_finding (store_id, found_at);
-- For retention.
create index drift_finding_found on drift_finding (found_at);

-- Whatever statement tells another difference of a live menu, or that there is none any more, notes it for the timeline.
create function note_drift() returns trigger
language plpgsql as $$
begin
  insert into drift_finding (store_id, integration_id, found_at, state, changes_count)
  values (new.store_id, new.integration_id, new.drift_checked_at, new.drift_state, new.drift_changes_count);
  return null;
end
$$;

create trigger publication_drift after update of drift_told on publication
  for each row
  when (new.drift_told is distinct from old.drift_told and new.drift_state in ('changed', 'same')
    and new.drift_checked_at is not null)
  execute function note_drift();
