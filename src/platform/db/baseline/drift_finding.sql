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
