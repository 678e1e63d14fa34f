-- Whether stock decides if an item is on sale; a setting of the store.
alter table store add column availability_from_stock text not null default 'off'
  check (availability_from_stock in ('off', 'on'));
