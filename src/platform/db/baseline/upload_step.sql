-- How far a step of an upload is; one that was skipped has no row.
create table upload_step (
  upload_id text not null references menu_upload on delete cascade,
  name text not null check (name in ('token', 'transform', 'images', 'items', 'push', 'confirm', 'availability')),
  state text not null check (state in ('pending', 'running', 'done', 'failed', 'skipped')),
  attempts integer not null default 0,
  started_at timestamptz,
  finished_at timestamptz,
  -- What the app answered to a step that failed, for whoever has to find out why; null for any other step.
  answer json,
  primary key (upload_id, name)
);
