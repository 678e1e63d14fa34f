-- A token of a user. It is kept as SHA-256 only: 256 random bits need no slow hash.
create table access_token (
  token_id text primary key,
  user_id text not null references app_user,
  token_sha256 bytea not null unique,
  created_at timestamptz not null default now(),
  expires_at timestamptz,
  revoked_at timestamptz
);
create index access_token_user on access_token (user_id);
