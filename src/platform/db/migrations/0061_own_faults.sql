-- Trouble of our own, for which the deliveries of a subscription wait: the kind (`OwnFaultKind`), and since when. It stands
-- here and not at each delivery, as one worker at a time sends all that is due of a subscription. Null: none.
alter table subscription
  add column own_fault text,
  add column own_fault_since timestamptz;
