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

-- A session of the console is a user's. One that began with a token ends with it; one without began by a link, and ends
-- with the user.
alter table console_session add user_id text references app_user, alter token_id drop not null;
update console_session s set user_id = t.user_id from access_token t where t.token_id = s.token_id;
alter table console_session alter user_id set not null;
create index console_session_of_user on console_session (user_id, token_id, ends_at);
drop index console_session_of_token;
create index console_session_of_token on console_session (token_id);

-- APIs of before this migration name the token alone, as long as any of them runs.
create function user_of_session() returns trigger
language plpgsql as $$
begin
  select user_id into new.user_id from access_token where token_id = new.token_id;
  return new;
end
$$;
create trigger console_session_user before insert on console_session
  for each row when (new.user_id is null) execute function user_of_session();
