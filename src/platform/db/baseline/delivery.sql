-- One for all subscriptions: what a subscription sees of it grows, with gaps.
create sequence webhook_sequence;

-- One webhook message to one subscription that waits to be delivered. The table is the queue: it and its indexes are as
-- large as what waits. What ends moves to `ended_delivery` in the statement that ends it, with its attempts; a resend
-- moves it back.
--
-- No foreign keys: each insert would lock the row of the subscription (and of the store, and of the user) for share,
-- and a thousand lockers a second of one row is what multixacts are bad at. A claim changes no indexed column and stays
-- on its page (HOT), which the fill factor leaves room for.
create table delivery (
  delivery_id text primary key,
  message_id text not null,
  subscription_id text not null,
  -- Null: an event.
  inventory_system_id uuid,
  type smallint not null,
  -- Of an event: `upload.ended` and so on; null for the messages to inventory systems.
  event_type text,
  -- Null: a test, which is about no store.
  store_id bigint,
  sequence bigint not null default nextval('webhook_sequence'),
  -- `json` keeps the text as it is. Read as payload::text.
  payload json not null,
  -- Of the payload as text, so that a claim knows what it will take up in memory without unpacking it.
  payload_bytes integer not null,
  request_id text not null,
  -- The trace of the request, as W3C's `traceparent`: what is done for the row later goes on with it.
  trace_parent text,
  user_id text not null,
  created_at timestamptz not null default now(),
  -- When it was last resent: deletions before it do not mean it any more, and retention counts from it. Null: never.
  resent_at timestamptz,
  -- When the next attempt may begin; order of claiming.
  due_at timestamptz not null default now(),
  lease_epoch bigint,
  lease_until timestamptz,
  -- Numbers of attempts run on over resends; the retry table starts anew behind attempts_before_resend.
  attempts_made integer not null default 0,
  attempts_before_resend integer not null default 0,
  -- Somebody waits for the outcome until then and is to be told.
  awaited_until timestamptz,
  -- The receiver's latest words.
  receiver_status integer,
  message text,
  -- Why it waits, by what the last attempt said; its words and times are in its attempts.
  wait_reason text,
  constraint delivery_event check ((type = 3) = (event_type is not null))
) with (
  fillfactor = 80,
  autovacuum_vacuum_scale_factor = 0.01,
  autovacuum_analyze_scale_factor = 0.05,
  -- Vacuum would give empty pages at the end of the table back to the disk under a lock that every statement waits for,
  -- up to `deadlock_timeout` (1 s), and the queue is empty after a backlog. Its pages are used again instead.
  vacuum_truncate = false,
  toast.vacuum_truncate = false
);

-- Vacuum finds the queue empty most of the time. Then Postgres expects one row of it and one page of each index, so any
-- index looks as good as the right one, and the plan is kept while a backlog grows. So the indexes of lists have
-- conditions that claims and outcomes do not have, and cannot be taken for them. All types are above 0; lists of a
-- webhook say so (`isOfWebhook` in `src/webhooks/sql/delivery-views.ts`).

-- Claims, the sweep and the discarding of what waited too long.
create index delivery_due on delivery (subscription_id, due_at, sequence);
-- The lists of a system's owner and of a store's user: newest first.
create index delivery_of_subscription on delivery (subscription_id, delivery_id) where type > 0;
create index delivery_of_store on delivery (store_id, delivery_id) where store_id is not null;
