-- Whether the app may have the item off sale, or the store paused: a call succeeded or had no answer, or a menu was sent
-- that says so. It outlives the change that did it, so that the end of a later one is told. Unknown of what was marked
-- before, and of what an earlier release marks.
alter table availability_mark add column may_be_off boolean not null default true;
alter table store_pause add column may_be_paused boolean not null default true;
