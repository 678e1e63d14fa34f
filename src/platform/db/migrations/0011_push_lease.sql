-- Who pushes to the app, and until when it is taken for alive. Temporal gives a step to another call when heartbeats are
-- late, which on a busy machine happens to calls that are at work: without this, two menus would be on their way at once.
alter table publication add column push_turn timestamptz, add column push_until timestamptz;
