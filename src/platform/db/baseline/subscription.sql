-- A registered webhook: of an inventory system for one type of message (1, 2), or of a user for events about their
-- stores and systems (3). A webhook that is deleted and made again is the same row with a new secret. No delivery has a
-- foreign key to it.
create table subscription (
  subscription_id text primary key,
  -- Null: of a user.
  inventory_system_id uuid references inventory_system,
  -- Null: of a system.
  user_id text references app_user,
  type smallint not null check (type in (1, 2, 3)),
  -- Which events are wanted; null: all, also those that are added later.
  events text[],
  url text not null,
  -- Headers that the receiver wants with each request, as JSON; they may be credentials, so only their names can be
  -- read.
  headers_encrypted bytea,
  header_names text[] not null default '{}',
  max_in_flight integer not null default 20 check (max_in_flight between 1 and 200),
  -- Attempts in a second at most; null: as many as the in-flight limit lets through.
  max_per_second integer check (max_per_second between 1 and 1000),
  created_at timestamptz not null default now(),
  deleted_at timestamptz,

  -- The secrets are all sealed for the same place, so that a rotation moves one into `earlier_secret` as it is.
  secret_encrypted bytea not null,
  -- The rotation that made it.
  secret_id text not null default 'first',
  -- The last end of the earlier secrets, so that claims look for them only while one signs.
  previous_valid_until timestamptz,

  -- The shard that it belongs to: the first byte of the hash of its id.
  shard smallint not null
    generated always as ((get_byte(decode(md5(subscription_id), 'hex'), 0) % 16)::smallint) stored
    references webhook_shard,

  state text not null default 'enabled' check (state in ('enabled', 'disabled')),
  -- `owner_inactive`: the webhooks of a deactivated user's systems send nothing until the user is active again.
  disabled_reason text check (disabled_reason in ('gone', 'failing', 'manual', 'owner_inactive')),

  -- What is known about the receiver. The version is raised whenever that begins afresh: by another URL, and by
  -- enabling. Each attempt carries the version of its claim, so that an answer of an earlier URL says nothing about the
  -- present one. The URL itself would not do: changed and changed back, it has begun afresh twice.
  health_version integer not null default 0,
  consecutive_failures integer not null default 0,
  failing_since timestamptz,
  -- Stays when it has passed, until a probe has answered.
  paused_until timestamptz,
  -- The receiver asked for the pause, by `Retry-After`: only a probe after it can end it.
  pause_asked boolean not null default false,
  -- The platform was told that it is paused, and not yet that it works again.
  told_paused boolean not null default false,
  -- Trouble of our own, for which its deliveries wait: the kind (`OwnFaultKind`), and since when. It stands here and
  -- not at each delivery, as one worker at a time sends all that is due of a subscription. Null: none.
  own_fault text,
  own_fault_since timestamptz,

  unique (inventory_system_id, type),
  check ((state = 'disabled') = (disabled_reason is not null)),
  constraint subscription_owner
    check ((type = 3) = (user_id is not null) and (type = 3) = (inventory_system_id is null))
) with (fillfactor = 50); -- a few rows, rewritten with every flush of outcomes
create unique index subscription_of_user on subscription (user_id) where user_id is not null;

-- Nothing is told of a webhook for events itself, nor of one that is deleted or made again.
create trigger subscription_events after update on subscription
  for each row
  when (new.type <> 3 and old.deleted_at is null and new.deleted_at is null
    and (new.told_paused <> old.told_paused or (new.state = 'disabled' and old.state = 'enabled')))
  execute function tell_webhook_change();
