-- A worker process, and its lease of all the shards that it has. Logged, unlike what can be forgotten: after a crash of
-- Postgres nobody may take a shard from a worker that lives.
create table webhook_worker (
  worker uuid primary key,
  -- For people: process and host, as Temporal names it too.
  name text not null,
  -- Until then it has its shards, unless the session that its advisory lock hangs on has ended.
  lease_until timestamptz not null,
  -- It stops: it does not count among those that share the shards.
  leaving boolean not null default false
) with (fillfactor = 50, autovacuum_vacuum_threshold = 1000);
