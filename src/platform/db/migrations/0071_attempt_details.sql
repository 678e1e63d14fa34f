-- What was wrong with an attempt, in words. Of an ended delivery they stand beside `attempts` and not in it: a release
-- before writes rows of that type as it knows it.
alter table attempt add column detail text;
alter table ended_delivery add column attempt_details text[];
