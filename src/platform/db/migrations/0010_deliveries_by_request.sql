-- Deliveries are found by the request that made them. The condition is always true: claims and outcomes do not have it.
create index delivery_of_request on delivery (request_id, delivery_id) where type > 0;
