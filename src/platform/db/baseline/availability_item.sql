-- One item of a change.
create table availability_item (
  change_id text not null references availability_change on delete cascade,
  position integer not null,
  store_id bigint not null,
  integration_id bigint,
  external_id text not null,
  available boolean not null,
  until timestamptz,
  state text not null check (state in ('waiting', 'done', 'failed', 'superseded')),
  tried boolean not null default false,
  message text,
  primary key (change_id, external_id)
);
create index availability_item_waiting on availability_item (store_id, integration_id, change_id, position)
  where state = 'waiting';
