-- Set when a menu goes live where items were switched before, until the line of availability has followed it: the sweep
-- looks at these, and not at every line.
alter table publication add column is_unfollowed boolean not null default false;
update publication p set is_unfollowed = true
from availability_line l
where l.store_id = p.store_id and l.integration_id = p.integration_id
  and p.live_upload_id is not null and p.live_upload_id is distinct from l.told_upload_id;
create index publication_unfollowed on publication (store_id, integration_id) where is_unfollowed;
