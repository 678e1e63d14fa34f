-- A time as the API shows it.
create function api_time(given timestamptz) returns text
language sql immutable parallel safe
return to_char(given at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"');
