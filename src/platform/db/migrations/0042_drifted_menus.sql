-- The menus that an app shows otherwise are counted by each scrape of the metrics: few among many.
create index publication_drifted on publication (integration_id) where drift_state = 'changed';
