-- Pushes at once to one integration, in one worker.
alter table integration add column max_in_flight integer not null default 50
  check (max_in_flight between 1 and 500);

-- What an upload waits for when it is not a time: a push that ends (`push/…`), a token that another upload fetches (`token/…`).
-- It waits here and not in a worker, where it would hold a slot and heartbeats that others need.
alter table menu_upload add column waits_for text;
-- Attempts that came to nothing but a wait; they are no failed tries of the app.
alter table menu_upload add column turns_waited integer not null default 0;
create index menu_upload_turns on menu_upload (waits_for, created_at)
  where waits_for is not null and state = 'running';

-- Which upload fetches the token: when its worker has died, its next try need not wait for the lease to end.
alter table app_token add column refresh_owner text;
