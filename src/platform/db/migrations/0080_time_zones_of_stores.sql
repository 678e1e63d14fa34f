-- IANA name of the zone in which dates without an offset are read; null: none is known.
alter table store add column time_zone text;
