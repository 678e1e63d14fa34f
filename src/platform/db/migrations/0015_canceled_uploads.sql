-- What waited when its store was deleted ends `canceled`.
alter table menu_upload drop constraint menu_upload_state_check;
alter table menu_upload add constraint menu_upload_state_check check
  (state in ('queued', 'running', 'uploaded', 'partly_uploaded', 'failed', 'superseded', 'canceled'));
-- Where the rows of a store are looked for when its data has to go.
create index pos_request_of_store on pos_request (store_id);
