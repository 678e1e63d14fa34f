-- A column of an index that is unique for the whole table counts as a key: whoever changes it locks the store against
-- every foreign key, and so waits in a circle with changes of items, which have those. The condition is always true.
drop index store_name_per_user;
create unique index store_name_per_user on store (created_by, name_key) where name_key is not null;
