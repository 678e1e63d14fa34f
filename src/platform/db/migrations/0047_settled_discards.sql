-- An order tells the time before its commit. Whoever reads it first sets the time anew, and settles it by that: an event
-- that began in between was still written for what the order's statement deleted.
alter table discard_order add column settled boolean not null default false;
