-- A level is only needed to tell whether a movement is newer. A POS may name any number of items, of which no menu has
-- to know, so the levels of items that move no more are removed after the retention.
alter table stock_level add column counted_at timestamptz not null default now();
create index stock_level_counted on stock_level (counted_at);
