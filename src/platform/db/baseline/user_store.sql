-- A user has a store.
create table user_store (
  user_id text not null references app_user,
  store_id bigint not null references store,
  primary key (user_id, store_id)
);
-- Who has a store, which every event about one asks.
create index user_store_of_store on user_store (store_id, user_id);
