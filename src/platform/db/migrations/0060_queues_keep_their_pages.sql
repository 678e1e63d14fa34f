-- Vacuum gives empty pages at the end of a table back to the disk under a lock that every statement waits for, up to
-- `deadlock_timeout` (1 s). Every event uses these tables, and they are empty after a backlog. Their pages are used
-- again instead.
alter table delivery set (vacuum_truncate = false, toast.vacuum_truncate = false);
alter table attempt set (vacuum_truncate = false, toast.vacuum_truncate = false);
alter table idempotency_key set (vacuum_truncate = false, toast.vacuum_truncate = false);
