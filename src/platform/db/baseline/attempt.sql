-- One HTTP request of a waiting delivery; goes with it when it ends.
create table attempt (
  delivery_id text not null,
  number integer not null,
  epoch bigint not null,
  started_at timestamptz not null,
  duration_ms integer not null,
  status integer,
  -- Why there is no whole answer: an outbound error code, and the same in words.
  error text,
  detail text,
  -- The first 1 KB of the answer.
  response text,
  primary key (delivery_id, number)
) with (
  autovacuum_vacuum_scale_factor = 0.01,
  autovacuum_analyze_scale_factor = 0.05,
  vacuum_truncate = false, -- see delivery.sql
  toast.vacuum_truncate = false
);
