-- One row: where a run is looked at in the Temporal UI, what stands before its workflow's id. Null: nowhere.
create table trace_base (
  one boolean primary key default true check (one),
  url text
);
insert into trace_base (url) values (null);
