-- One place of a rollout.
create table rollout_target (
  rollout_id text not null references rollout on delete cascade,
  -- From 0, in the order in which they were sent.
  position integer not null,
  -- The two ids as they were sent, and as what they were read.
  sent json not null,
  store_id bigint,
  integration_id bigint,
  -- Null: refused when the rollout was accepted.
  upload_id text,
  -- The sentences of a target that is refused.
  refusal json,
  -- The upload that brings back what was live before.
  revert_upload_id text,
  -- Why there is none, or none that came to something.
  revert_end text check (revert_end in ('failed', 'not_live', 'without_previous')),
  primary key (rollout_id, position)
);
