-- When the app was last asked about the upload's task; null = not yet. Apps whose people decide are asked by the hour, and
-- neither a restart nor a newer upload may make it more.
alter table menu_upload add column task_asked_at timestamptz;
-- Signs the app's webhooks, where that is not the client's secret.
alter table integration add column webhook_secret_encrypted bytea;
