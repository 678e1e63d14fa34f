-- One row: over how many lines subscriptions are spread.
create table webhook_shards (
  one boolean primary key default true check (one),
  shards smallint not null check (shards between 1 and 256)
);
insert into webhook_shards (shards) values (16);
