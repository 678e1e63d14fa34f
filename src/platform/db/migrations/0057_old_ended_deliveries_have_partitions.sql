-- `0023_ended_deliveries.sql` left all that had ended more than 60 days before in the default partition, whose rows
-- Postgres reads, under a lock that holds up every list, whenever a partition is made. They get partitions of their own,
-- at most 30, so that retention drops them like all others. Rows are copied before a table becomes a partition, because
-- the triggers of `ended_delivery` would tell the platform of them again.
do $$
declare
  first date := (
    select to_date(min(substring(c.relname from '^ended_delivery_(\d{8})_\d{8}$')), 'YYYYMMDD')
    from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = 'ended_delivery'::regclass
  );
  first_moment timestamptz := first::timestamp at time zone 'UTC';
  day date := (
    select min(finished_at) from ended_delivery_default where finished_at < first_moment
  ) at time zone 'UTC';
  days integer := ceil((first - day) / 30.0);
  upto date;
  made text;
  moments text[];
  tables text[] := '{}';
  ranges text[][] := '{}';
begin
  if day is null then
    return;
  end if;
  -- Nobody removes or resends a row while it is copied; lists go on. The detaching, which keeps everybody out, comes last.
  lock table ended_delivery_default in share row exclusive mode;
  while day < first loop
    upto := least(day + days, first);
    made := 'ended_delivery_' || to_char(day, 'YYYYMMDD') || '_' || to_char(upto, 'YYYYMMDD');
    moments := array[day || ' 00:00:00+00', upto || ' 00:00:00+00'];
    execute format('create table %I (like ended_delivery including all)', made);
    execute format(
      'insert into %I select * from ended_delivery_default where finished_at >= %L and finished_at < %L',
      made, moments[1], moments[2]);
    -- So that it need not be read once more when it becomes a partition.
    execute format(
      'alter table %I add constraint range check (finished_at >= %L and finished_at < %L and finished_at is not null)',
      made, moments[1], moments[2]);
    tables := tables || made;
    ranges := ranges || array[moments];
    day := upto;
  end loop;
  create table ended_delivery_rest (like ended_delivery including all);
  insert into ended_delivery_rest select * from ended_delivery_default where finished_at >= first_moment;
  alter table ended_delivery detach partition ended_delivery_default;
  for n in 1 .. array_length(tables, 1) loop
    execute format(
      'alter table ended_delivery attach partition %I for values from (%L) to (%L)',
      tables[n], ranges[n][1], ranges[n][2]);
    execute format('alter table %I drop constraint range', tables[n]);
  end loop;
  drop table ended_delivery_default;
  alter table ended_delivery_rest rename to ended_delivery_default;
  create index ended_delivery_default_finished on ended_delivery_default (finished_at);
  alter table ended_delivery attach partition ended_delivery_default default;
end
$$;
