-- A key that a caller sent with a request, with the answer. The mark is a lease; `bound_id` is the row that the request
-- made; the kept answer is encrypted, as some carry a secret.
create table idempotency_key (
  user_id text not null references app_user,
  method text not null,
  path text not null,
  key text not null,
  body_sha256 text not null,
  owner text not null,
  lease_until timestamptz not null,
  bound_id text,
  status integer,
  answer_encrypted bytea,
  created_at timestamptz not null default now(),
  primary key (user_id, method, path, key)
) with (vacuum_truncate = false, toast.vacuum_truncate = false); -- see delivery.sql
-- For retention.
create index idempotency_key_created on idempotency_key (created_at);
