-- Subscriptions stand in lines, and one drain at a time works on a line for all that stand in it. All 256 exist; which
-- of them have subscriptions follows from the number of shards.
create table webhook_line (
  line smallint primary key check (line between 0 and 255),
  -- Of the drain that works on it: what an older one has leased is free at once, and that one claims nothing more.
  epoch bigint not null default 0,
  -- Until then its drain looks at its rows again without being told: a NOTIFY is enough, no signal is needed.
  alive_until timestamptz,
  -- Back-off of the sweep; both start over when a drain begins.
  sweeps integer not null default 0,
  next_sweep_at timestamptz not null default now()
) with (fillfactor = 50);
create index webhook_line_epoch on webhook_line (epoch);
insert into webhook_line (line) select generate_series(0, 255);

-- One for all lines, so that an epoch says whose it is. Far above the epochs that single subscriptions had before.
create sequence webhook_epoch start 1000000000;

create table webhook_shards (
  one boolean primary key default true check (one),
  shards smallint not null check (shards between 1 and 256)
);
insert into webhook_shards (shards) values (16);

-- The default is for processes of the release before, which know no lines; a worker that starts puts that right.
-- Their drain_epoch, alive_until, sweeps and next_sweep_at are not used any more.
alter table subscription add column line smallint not null default 0 references webhook_line;
update subscription set line = mod(get_byte(decode(md5(subscription_id), 'hex'), 0), 16);
