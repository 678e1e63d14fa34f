-- What the newest movement of an item said. It is only needed to tell whether a movement is newer. A POS may name any
-- number of items, of which no menu has to know, so the levels of items that move no more are removed after the
-- retention.
create table stock_level (
  store_id bigint not null references store,
  external_id text not null,
  movement_no bigint not null,
  moved_at timestamptz not null,
  is_out boolean not null,
  counted_at timestamptz not null default now(),
  primary key (store_id, external_id)
);
create index stock_level_counted on stock_level (counted_at);
