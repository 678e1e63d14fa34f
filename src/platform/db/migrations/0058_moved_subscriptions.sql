-- When the subscription came to its line from another one. The drain of the former line may still have requests in
-- flight, so that of this line lets them end before it begins. Null: it never moved.
alter table subscription add column moved_at timestamptz;
