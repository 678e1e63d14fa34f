-- The trace of the request that made the row, as W3C's `traceparent`: what is done for it later goes on with it.
alter table menu_upload add column trace_parent text;
alter table delivery add column trace_parent text;
