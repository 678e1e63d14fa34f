-- Two calls of one push began in the same millisecond, in a worker that had been stopped and was handed both at once: by
-- the time of their begin they were one.
alter table publication alter column push_turn type text using null;
