-- Lists by state: what was acknowledged is most of all and comes by the other indexes; any other state may be rare among
-- it, so each is found by its name. They replace those of failures alone. A stock movement that arrives pays for none of
-- them. The condition stands in `src/webhooks/sql/delivery-views.ts` too.
create index ended_delivery_in_state on ended_delivery (state, delivery_id) where state <> 'acknowledged';
create index ended_delivery_of_subscription_in_state on ended_delivery (subscription_id, state, delivery_id)
  where state <> 'acknowledged';
create index ended_delivery_of_store_in_state on ended_delivery (store_id, state, delivery_id)
  where state <> 'acknowledged';
drop index ended_delivery_failed, ended_delivery_failed_of_subscription, ended_delivery_failed_of_store;

-- Successes that came late, after failures or a resend: the only ones that are not found among the newest deliveries.
-- The condition stands in `src/webhooks/sql/subscription-health.ts` too.
create index ended_delivery_late on ended_delivery (subscription_id, finished_at)
  where finished_at - created_at > interval '10 s' and state in ('delivered', 'acknowledged');
