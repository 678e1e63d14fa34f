-- A session of the console. It is a row, so that signing out ends it on the server too: the sealed cookie alone would
-- stay good for twelve hours wherever it was copied.
create table console_session (
  session_id text primary key,
  user_id text not null references app_user,
  -- The token with which the user signed in, and with which it ends; null: by a link, and it ends with the user.
  token_id text references access_token on delete cascade,
  ends_at timestamptz not null
);
create index console_session_of_user on console_session (user_id, token_id, ends_at);
create index console_session_of_token on console_session (token_id);
-- For retention.
create index console_session_ends on console_session (ends_at);
