-- A person or program that calls the API.
create table app_user (
  user_id text primary key,
  name text not null,
  permissions text[] not null default '{}',
  state text not null default 'active' check (state in ('active', 'deactivated', 'deleted')),
  created_at timestamptz not null default now()
);
