-- What an app said of a task by callback, kept even when it comes before the upload's own answer.
create table app_task (
  integration_id bigint not null references integration,
  task_id text not null,
  outcome json not null,
  received_at timestamptz not null default now(),
  primary key (integration_id, task_id)
);
-- For retention.
create index app_task_received on app_task (received_at);
