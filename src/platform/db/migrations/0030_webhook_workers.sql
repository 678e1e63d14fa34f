-- Worker processes that take lines of webhooks, so that each knows its share: one that has more lets another one have
-- them. Not logged: what a crash forgets is written anew within a second.
create unlogged table webhook_worker (
  worker uuid primary key,
  -- Until then it counts, unless it is renewed.
  polls_until timestamptz not null
) with (fillfactor = 50, autovacuum_vacuum_threshold = 1000);

alter table webhook_line
  -- Whose drain took the epoch; for people.
  add column worker uuid,
  -- Its drain has let it go for a worker with fewer lines: until then one with its share leaves it alone.
  add column offered_until timestamptz;
