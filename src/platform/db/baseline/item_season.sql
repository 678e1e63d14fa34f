-- An item with a season, of the menu that an integration of a store shows: each menu that is shown replaces them.
create table item_season (
  store_id bigint not null references store,
  integration_id bigint not null references integration,
  external_id text not null,
  -- `yyyy-MM-dd`, days of the store, both inclusive; null: without a beginning, or an end.
  visible_from text,
  visible_until text,
  -- When it goes off sale or comes back, as a day begins by the clocks of the store; null: never again.
  turns_at timestamptz,
  primary key (store_id, integration_id, external_id)
);
create index item_season_turns on item_season (turns_at) where turns_at is not null;
