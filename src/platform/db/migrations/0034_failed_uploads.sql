-- The overview of the console looks for places whose last upload failed: of all uploads and of one store, without
-- reading those that went well. The condition stands in `src/console/sql/failed-places.ts` too.
create index menu_upload_failed on menu_upload (upload_id) where state = 'failed';
create index menu_upload_failed_of_store on menu_upload (store_id, upload_id) where state = 'failed';
