-- A session of the console. It is a row, so that signing out ends it on the server too: the sealed cookie alone would
-- stay good for twelve hours wherever it was copied.
create table console_session (
  session_id text primary key,
  token_id text not null references access_token on delete cascade,
  ends_at timestamptz not null
);
create index console_session_of_token on console_session (token_id, ends_at);
-- For retention.
create index console_session_ends on console_session (ends_at);
