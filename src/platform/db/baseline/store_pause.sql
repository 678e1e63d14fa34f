-- A store that is paused in an integration.
create table store_pause (
  store_id bigint not null references store,
  integration_id bigint not null references integration,
  since timestamptz not null default now(),
  until timestamptz,
  reason text,
  change_id text not null,
  -- Whether the app may have the store paused, as `may_be_off` of a mark.
  may_be_paused boolean not null default true,
  primary key (store_id, integration_id)
);
create index store_pause_until on store_pause (until) where until is not null;
create index store_pause_change on store_pause (change_id);
