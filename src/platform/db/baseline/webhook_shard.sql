-- Subscriptions belong to 16 shards, and one worker at a time has a shard and consumes all that belongs to it.
create table webhook_shard (
  shard smallint primary key check (shard between 0 and 15),
  -- Of its owner: what an earlier one has leased is free at once, and that one claims and records nothing more.
  epoch bigint not null default 0,
  -- The row of this worker is the lease. Null: nobody has it. Not a key: a row that is gone means the same.
  worker uuid,
  -- Back-off of the sweep; both start over when a worker takes the shard.
  sweeps integer not null default 0,
  next_sweep_at timestamptz not null default now()
) with (fillfactor = 50); -- a few rows, rewritten again and again
insert into webhook_shard (shard) select generate_series(0, 15);

-- One for all shards, so that an epoch says whose it is.
create sequence webhook_epoch;
