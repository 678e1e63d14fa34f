-- Attempts that a receiver gets in a second at most; null: as many as its in-flight limit lets through.
alter table subscription add column max_per_second integer check (max_per_second between 1 and 1000);
