-- Of the payload as text, so that a claim knows what it will take up in memory without unpacking it. Null: written by a
-- release before; its size as stored is taken instead.
alter table delivery add column payload_bytes integer;
