-- For psql, by the service `roles` of docker-compose.yml; may be repeated at will.
\getenv pos_password DATABASE_PASSWORD
\getenv temporal_password TEMPORAL_DATABASE_PASSWORD
select format('create role %I', name) from (values ('pos'), ('temporal')) as wanted (name)
where not exists (select from pg_roles where rolname = name) \gexec
alter role pos login nosuperuser nocreatedb nocreaterole noreplication nobypassrls password :'pos_password';
alter role temporal login nosuperuser nocreatedb nocreaterole noreplication nobypassrls password :'temporal_password';
select format('create database %I owner %I', name, owner)
from (values ('pos', 'pos'), ('temporal', 'temporal'), ('temporal_visibility', 'temporal')) as wanted (name, owner)
where not exists (select from pg_database where datname = name) \gexec
revoke connect on database pos, temporal, temporal_visibility from public;
