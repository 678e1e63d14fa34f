-- The special days that an integration of a store is to have.
create table store_special_days (
  store_id bigint not null references store,
  integration_id bigint not null references integration,
  -- As the API takes them, without those that were over at the last look.
  days json not null,
  -- When they are to be looked at again, as a day ends by the clocks of the store; null: there is none to come.
  next_look_at timestamptz,
  -- The latest change about them.
  change_id text not null,
  primary key (store_id, integration_id)
);
create index store_special_days_next_look on store_special_days (next_look_at) where next_look_at is not null;
create index store_special_days_change on store_special_days (change_id);
