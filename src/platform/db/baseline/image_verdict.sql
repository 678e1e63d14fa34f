-- What is known of an image, by the SHA-256 (hex) of its URL: the same picture stands in many menus, and each is sent
-- again and again. Failures are kept too, for a shorter time, so that a dead host is not waited for by every upload.
create table image_verdict (
  url_sha256 text primary key,
  verdict text not null,
  expires_at timestamptz not null
);
create index image_verdict_expires on image_verdict (expires_at);
