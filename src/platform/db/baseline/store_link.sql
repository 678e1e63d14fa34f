-- Which id a store has in an inventory system. A link lives while somebody who made it, or the owner of its system, has
-- the store; an operator's until it is ended.
create table store_link (
  store_id bigint not null references store,
  inventory_system_id uuid not null references inventory_system,
  external_store_id text not null,
  created_at timestamptz not null default now(),
  -- Ids of users.
  made_by text[] not null default '{}',
  by_operator boolean not null default false,
  primary key (store_id, inventory_system_id)
);
-- The list of a system's links.
create index store_link_of_system on store_link (inventory_system_id, store_id);
