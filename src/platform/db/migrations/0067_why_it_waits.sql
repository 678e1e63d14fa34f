-- Why accepted work waits, for its answers (`waiting_for`). The statements that let it wait write these columns.

-- `wait_reason`: what the last try said, in the words of the API; null: nothing yet. `waiting_since`: when that began.
-- `failed_tries`: tries of the app in vain, quick ones too. `next_try_at`: within a round, when the next quick try is, or
-- when people at the app are asked again: until then nothing is under way.
alter table menu_upload
  add column wait_reason text,
  add column waiting_since timestamptz,
  add column failed_tries integer not null default 0,
  add column next_try_at timestamptz;

-- The same for the changes of a line, which share its calls; `wait_words`: what the app said, cleaned.
alter table availability_line
  add column wait_reason text,
  add column wait_words text,
  add column waiting_since timestamptz,
  add column failed_tries integer not null default 0,
  add column next_try_at timestamptz;

-- What the last attempt said; its words and times are in its attempts.
alter table delivery add column wait_reason text;
