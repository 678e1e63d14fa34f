-- A stock movement of a store whose availability follows its stock, until it counts: when the linked systems have
-- answered, or have had their time. The number is the order of acceptance, which decides between equal dates.
create table stock_movement (
  movement_no bigint generated always as identity primary key,
  store_id bigint not null references store,
  external_id text not null,
  is_out boolean not null,
  moved_at timestamptz not null,
  -- Null: it counts as it is.
  event_id text,
  -- How many systems it was sent to; without any of these deliveries the event was never accepted.
  deliveries integer not null default 0,
  stored_at timestamptz not null default now(),
  counts_at timestamptz not null
);
create index stock_movement_due on stock_movement (counts_at);
create index stock_movement_of_store on stock_movement (store_id);
