-- A secret of a webhook that was replaced by a rotation, until its own end.
create table earlier_secret (
  subscription_id text not null references subscription on delete cascade,
  -- Of the rotation, or the registration, that made it.
  secret_id text not null,
  secret_encrypted bytea not null,
  valid_until timestamptz not null,
  replaced_at timestamptz not null default clock_timestamp(),
  primary key (subscription_id, secret_id)
);
