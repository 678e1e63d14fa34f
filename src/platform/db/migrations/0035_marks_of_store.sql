-- The list of items off sale goes through the stores of a user with few of them, newest first in each.
create index availability_mark_of_store on availability_mark (store_id, mark_no);
