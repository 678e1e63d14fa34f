-- The receiver asked for the pause until `paused_until`, by `Retry-After`: only a probe after it can end it.
alter table subscription add column pause_asked boolean not null default false;
