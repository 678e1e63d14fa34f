-- A worker process that takes lines of webhooks, so that each knows its share: one that has more lets another one have
-- them. Not logged: what a crash forgets is written anew within a second.
create unlogged table webhook_worker (
  worker uuid primary key,
  -- Until then it counts, unless it is renewed.
  polls_until timestamptz not null,
  -- Until then it still looks whether there is a line to take, even where it does not count: while no line has a drain,
  -- workers write their row every half minute only, as a row that is written every other second keeps the writer of the
  -- log awake.
  looks_until timestamptz not null
) with (fillfactor = 50, autovacuum_vacuum_threshold = 1000);
