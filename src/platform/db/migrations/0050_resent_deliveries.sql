-- When a delivery was last resent: deletions before it do not mean the delivery any more, and retention counts from it.
-- Null: not resent, or by a release before.
alter table delivery add column resent_at timestamptz;
