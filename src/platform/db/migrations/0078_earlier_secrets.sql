-- A rotation keeps each earlier secret of a webhook until its own end. `subscription.previous_valid_until` is the last
-- of these ends, so that claims look here only while one signs.
create table earlier_secret (
  subscription_id text not null references subscription on delete cascade,
  -- Of the rotation, or the registration, that made it.
  secret_id text not null,
  secret_encrypted bytea not null,
  valid_until timestamptz not null,
  replaced_at timestamptz not null default clock_timestamp(),
  primary key (subscription_id, secret_id)
);
alter table subscription add column secret_id text not null default 'first';
insert into earlier_secret (subscription_id, secret_id, secret_encrypted, valid_until)
select subscription_id, 'earlier', previous_secret_encrypted, previous_valid_until from subscription
where previous_secret_encrypted is not null and previous_valid_until > now();
alter table subscription drop column previous_secret_encrypted;
