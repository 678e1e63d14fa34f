-- Rollouts are found by the request that made them.
create index rollout_of_request on rollout (request_id, rollout_id);
