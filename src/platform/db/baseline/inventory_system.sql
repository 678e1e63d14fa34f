-- An inventory system. Names are unique in the whole deployment; `name_key` is made in the application, as that of a
-- store, and frees the name of a deleted one as there.
create table inventory_system (
  inventory_system_id uuid primary key,
  name text not null,
  name_key text not null unique,
  created_by text not null references app_user,
  created_at timestamptz not null default now(),
  deleted_at timestamptz
);
-- The list of a user's systems, newest first.
create index inventory_system_of_owner on inventory_system (created_by, created_at, inventory_system_id);
create index inventory_system_deleted on inventory_system (deleted_at) where deleted_at is not null;
