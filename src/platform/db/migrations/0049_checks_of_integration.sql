-- Readings that are planned: by integration, because those of an inactive one stay overdue and would be passed over by
-- each round of the sweep.
drop index publication_checks_due;
create index publication_checks_of_integration on publication (integration_id, check_at)
  where check_at is not null and live_upload_id is not null;
