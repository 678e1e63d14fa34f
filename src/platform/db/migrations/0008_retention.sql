-- What has had its time is found from the old end of an index, however much else there is. A document's `created_at` is
-- renewed whenever an upload comes with it or turns into it.
create index document_created on document (created_at);
create index app_task_received on app_task (received_at);
