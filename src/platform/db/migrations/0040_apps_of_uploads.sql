-- The app whose payload an upload has: its integration may have another one by now. Null: the integration's first app,
-- for uploads of earlier releases, where it could not change.
alter table menu_upload add column app text;
-- Null: it has never changed.
alter table integration add column first_app text;
