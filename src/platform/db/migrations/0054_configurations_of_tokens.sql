-- How often an integration was configured, and a store connected to it, by the commands. Whoever has loaded them before
-- asks for no token, and none of what it got counts.
alter table integration add column configuration_no bigint not null default 0;
alter table store_integration add column connection_no bigint not null default 0;
-- The numbers of the configuration for which the token is fetched, or was. Null: by a release before.
alter table app_token add column configuration text;
