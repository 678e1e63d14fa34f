-- A link by which a user signs in to the console, once. Its secret is kept as SHA-256 only: 256 random bits need no slow
-- hash.
create table sign_in_link (
  link_sha256 bytea primary key,
  user_id text not null references app_user,
  -- The operator who made it on the console; null: the administration did.
  made_by text references app_user,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  used_at timestamptz
);
create index sign_in_link_of_user on sign_in_link (user_id);
-- For retention.
create index sign_in_link_expires on sign_in_link (expires_at);
