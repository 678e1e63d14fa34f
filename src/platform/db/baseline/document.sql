-- The text of a menu or of a payload, content-addressed: the SHA-256 (hex) is that of the JSON text, the content is
-- gzip of it. Compressed here and not by TOAST: one gzip in the thread pool instead of pglz on the server's core.
create table document (
  sha256 text primary key,
  content_gzip bytea not null,
  size integer not null,
  -- Renewed whenever an upload comes with it or turns into it.
  created_at timestamptz not null default now()
);
alter table document alter column content_gzip set storage external;
-- For retention, which begins at the old end, however much else there is.
create index document_created on document (created_at);
