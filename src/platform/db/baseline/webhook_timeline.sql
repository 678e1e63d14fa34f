-- One row: the timeline of the write-ahead log on which the numbers of webhooks were last in order. Another one began
-- when a standby was promoted or a backup restored: what was written last may be lost, and numbers would be given out
-- again.
create table webhook_timeline (
  one boolean primary key default true check (one),
  -- Null: this server does not tell.
  timeline text
);
do $$
begin
  insert into webhook_timeline (timeline) values (left(pg_walfile_name(pg_current_wal_lsn()), 8));
exception when others then
  insert into webhook_timeline (timeline) values (null);
end
$$;
