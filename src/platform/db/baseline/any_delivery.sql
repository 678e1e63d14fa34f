-- Deliveries that wait and those that have ended. Conditions on it are answered by the indexes of both tables; one on
-- `finished_at` keeps the partitions out that cannot have the row.
create view any_delivery as
select delivery_id, message_id, subscription_id, inventory_system_id, type, event_type, store_id, sequence, payload,
  'pending'::text as state, due_at, lease_until, attempts_made, attempts_before_resend, receiver_status, message,
  request_id, user_id, created_at, null::timestamptz as finished_at, null::ended_attempt[] as attempts
from delivery
union all
select delivery_id, 'msg_' || substr(delivery_id, 5), subscription_id, inventory_system_id, type, event_type, store_id,
  sequence, payload, state, finished_at, null, attempts_made, attempts_before_resend, receiver_status, message,
  request_id, user_id, created_at, finished_at, attempts
from ended_delivery;
