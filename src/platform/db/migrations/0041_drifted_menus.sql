-- Live menus that the apps no longer show are listed on the overview of the console and counted by each scrape of the
-- metrics: few among many. The condition stands in their statements too.
create index publication_drifted on publication (store_id, integration_id) where drift_state = 'changed';
