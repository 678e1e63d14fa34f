-- The token that the app refused, until another one is stored: an app that gives it again has not renewed it (App C).
alter table app_token add column refused_encrypted bytea;
