-- Raised whenever what is known of the receiver begins afresh: by another URL, and by enabling. Each attempt carries the
-- version of its claim, so that an answer of an earlier URL says nothing about the present one. The URL itself
-- would not do: changed and changed back, it has begun afresh twice.
alter table subscription add column health_version integer not null default 0;
