-- Those that did not arrive are few, and the ones that people look for: without indexes of their own a list of them walks
-- all that have ended, of each store and each webhook. The condition stands in `src/webhooks/sql/delivery-views.ts` too.
create index ended_delivery_failed on ended_delivery (delivery_id)
  where state in ('refused', 'exhausted', 'discarded');
create index ended_delivery_failed_of_subscription on ended_delivery (subscription_id, delivery_id)
  where state in ('refused', 'exhausted', 'discarded');
create index ended_delivery_failed_of_store on ended_delivery (store_id, delivery_id)
  where state in ('refused', 'exhausted', 'discarded');
