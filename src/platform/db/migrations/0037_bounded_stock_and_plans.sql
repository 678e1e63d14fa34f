-- When stock last ceased to decide in a store: what was stored or counted before it counts no more. Removing the rows
-- instead, of which a POS may make any number, took as long as there were many.
alter table store add column stock_since timestamptz;
alter table stock_movement add column stored_at timestamptz not null default now();

-- The live menus without a planned reading: by integration, because most apps cannot be read and keep theirs unplanned.
create index publication_unplanned on publication (integration_id, store_id)
  where check_at is null and live_upload_id is not null;
