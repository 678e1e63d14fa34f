-- What the app answered to a step that failed, for whoever has to find out why; null for any other step.
alter table upload_step add column answer json;
