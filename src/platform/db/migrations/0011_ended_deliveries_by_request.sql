create index ended_delivery_of_request on ended_delivery (request_id, delivery_id);
-- The timeline of a store: what failed is rare among what it was sent. The condition stands in
-- `src/timeline/sql/timeline.ts` too.
create index ended_delivery_failed_of_store on ended_delivery (store_id, finished_at, delivery_id)
  where state in ('refused', 'exhausted', 'discarded') and type <> 3;
