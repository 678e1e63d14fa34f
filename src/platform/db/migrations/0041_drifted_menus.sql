-- The overview of the console lists live menus that the apps no longer show, without reading those that they do. The
-- condition stands in `src/console/sql/wrong-now.ts` too.
create index publication_drifted on publication (store_id, integration_id) where drift_state = 'changed';
