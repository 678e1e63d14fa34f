-- The search for an item that is off sale.
create index availability_mark_of_item on availability_mark (external_id, store_id);
