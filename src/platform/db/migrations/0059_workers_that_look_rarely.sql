-- While no line has a drain, workers write their row every half minute only: a row that is written every other second
-- keeps the writer of the log awake. Until then a worker still looks whether there is a line to take, even where it
-- does not count.
alter table webhook_worker add column looks_until timestamptz not null default now();
