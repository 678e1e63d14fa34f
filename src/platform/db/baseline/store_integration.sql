-- A store is connected to an integration.
create table store_integration (
  store_id bigint not null references store,
  integration_id bigint not null references integration,
  -- The store's id in the app; null: it has none.
  delivery_id text,
  -- Null: the store has no token for this app.
  credential_encrypted bytea,
  -- How often it was connected by the commands, as `configuration_no` of the integration.
  connection_no bigint not null default 0,
  primary key (store_id, integration_id)
);
create unique index store_integration_delivery on store_integration (integration_id, delivery_id);
