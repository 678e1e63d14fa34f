-- Vacuum finds the queue empty most of the time. Then Postgres expects one row of it and one page of each index, so any
-- index looks as good as the right one, and the plan is kept while a backlog grows. So the indexes of lists have
-- conditions that claims and outcomes do not have, and cannot be taken for them. All types are above 0; lists of a
-- webhook say so (`isOfWebhook` in `src/webhooks/sql/delivery-views.ts`).
drop index delivery_of_subscription, delivery_of_store;
create index delivery_of_subscription on delivery (subscription_id, delivery_id) where type > 0;
create index delivery_of_store on delivery (store_id, delivery_id) where store_id is not null;

-- Each claim looks for orders of its webhook; a chain that leaves makes thousands of them.
create index discard_order_of_webhook on discard_order (subscription_id, store_id, ordered_at);

-- A rollout holds the uploads of all its targets until it is their turn. They are not due.
drop index menu_upload_due;
create index menu_upload_due on menu_upload ((coalesce(next_attempt_at, created_at)))
  where state in ('queued', 'running') and not held;
