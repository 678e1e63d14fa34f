-- When stock last ceased to decide in a store: what was stored or counted before it counts no more. Removing the rows
-- instead, of which a POS may make any number, took as long as there were many.
alter table store add column stock_since timestamptz;
alter table stock_movement add column stored_at timestamptz not null default now();

-- The live menus without a planned reading: by integration, because most apps cannot be read and keep theirs unplanned.
create index publication_unplanned on publication (integration_id, store_id)
  where check_at is null and live_upload_id is not null;

-- From now on a line follows each live menu, also without an item off sale. What was live before is left as it is: an
-- item that came back weeks ago may be off in the app by somebody's hand since.
update availability_line l set told_upload_id = p.live_upload_id
from publication p
where p.store_id = l.store_id and p.integration_id = l.integration_id
  and p.live_upload_id is distinct from l.told_upload_id
  and not exists (select from availability_mark m
    where m.store_id = l.store_id and m.integration_id = l.integration_id);
