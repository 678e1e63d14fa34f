-- What was sent beside the four lists: the two ids, and members that no rule knows.
alter table menu_upload add column sent_beside json;
-- The upload whose menu was sent again; it may be gone before this one.
alter table menu_upload add column republished_from text;
-- What was live when this upload went live.
alter table menu_upload add column previous_upload_id text;
create index menu_upload_previous on menu_upload (previous_upload_id)
  where previous_upload_id is not null;
-- The app did not answer the latest push, so it may show the menu.
alter table menu_upload add column may_be_shown boolean not null default false;

alter table publication add column live_since timestamptz;
update publication p set live_since = u.finished_at
from menu_upload u where u.upload_id = p.live_upload_id;
-- Whether the app still shows what is live: the last reading of it.
alter table publication add column drift_state text not null default 'unknown'
  check (drift_state in ('unknown', 'same', 'changed', 'unreadable'));
alter table publication add column drift_checked_at timestamptz;
alter table publication add column drift_changes_count integer;
