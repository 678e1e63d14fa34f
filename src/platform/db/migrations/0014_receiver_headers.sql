-- Headers that a receiver wants with each request, as JSON; they may be credentials, so only their names can be read.
alter table subscription add column headers_encrypted bytea;
alter table subscription add column header_names text[] not null default '{}';
