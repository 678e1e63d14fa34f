-- Subscriptions stand in lines, and one drain at a time works on a line for all that stand in it. All 256 exist; which
-- of them have subscriptions follows from the number of shards.
create table webhook_line (
  line smallint primary key check (line between 0 and 255),
  -- Of the drain that works on it: what an older one has leased is free at once, and that one claims nothing more.
  epoch bigint not null default 0,
  -- The worker whose drain took the epoch; for people.
  worker uuid,
  -- Until then its drain looks at its rows again without being told: a NOTIFY is enough, no signal is needed.
  alive_until timestamptz,
  -- Its drain has let it go for a worker with fewer lines: until then one with its share leaves it alone.
  offered_until timestamptz,
  -- Back-off of the sweep; both start over when a drain begins.
  sweeps integer not null default 0,
  next_sweep_at timestamptz not null default now()
) with (fillfactor = 50); -- a few rows, rewritten again and again
create index webhook_line_epoch on webhook_line (epoch);
insert into webhook_line (line) select generate_series(0, 255);

-- One for all lines, so that an epoch says whose it is.
create sequence webhook_epoch;
