-- An item that is wanted off sale, by the API, by stock and by its season: on sale is what none of them holds.
create table availability_mark (
  mark_no bigint generated always as identity unique,
  store_id bigint not null references store,
  integration_id bigint not null references integration,
  external_id text not null,
  since timestamptz not null default now(),
  by_api boolean not null,
  api_until timestamptz,
  by_stock boolean not null,
  by_season boolean not null default false,
  -- The latest change about it.
  change_id text not null,
  -- Whether the app may have the item off sale: a call succeeded or had no answer, or a menu was sent that says so. It
  -- outlives the change that did it, so that the end of a later one is told.
  may_be_off boolean not null default true,
  primary key (store_id, integration_id, external_id),
  check (by_api or by_stock or by_season),
  check (by_api or api_until is null)
);
create index availability_mark_until on availability_mark (api_until) where api_until is not null;
create index availability_mark_change on availability_mark (change_id);
-- The list of items off sale goes through the stores of a user with few of them, newest first in each.
create index availability_mark_of_store on availability_mark (store_id, mark_no);
