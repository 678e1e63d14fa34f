-- A link lives while somebody who made it, or the owner of its system, has the store; an operator's until it is ended.
-- Who made the links of before is not known: they stay until they are ended.
alter table store_link
  add column made_by text[] not null default '{}',
  add column by_operator boolean not null default false;
update store_link set by_operator = true;

-- The webhooks of a deactivated user's systems send nothing until the user is active again.
alter table subscription drop constraint subscription_disabled_reason_check;
alter table subscription add constraint subscription_disabled_reason_check
  check (disabled_reason in ('gone', 'failing', 'manual', 'owner_inactive'));
