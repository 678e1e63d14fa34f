-- A line that follows a menu looks for items that came back since the menu was sent, among months of changes.
create index availability_change_of_line_ended
  on availability_change (store_id, integration_id, (coalesce(finished_at, 'infinity')))
  where kind = 'items';
