-- Statements that look up single deliveries tell what waits by finished_at.
alter table delivery add constraint delivery_pending_is_unfinished check ((state = 'pending') = (finished_at is null));
