-- A delivery app's token, or the lease of whoever fetches it.
create table app_token (
  credential_key text primary key,
  version bigint not null default 0,
  token_encrypted bytea,
  expires_at timestamptz,
  -- Early by a margin, so that no push starts with a token that ends under way.
  renew_at timestamptz,
  -- The lease of whoever fetches a new one: no lock is held across HTTP.
  refresh_until timestamptz,
  -- The upload that fetches it: when its worker has died, its next try need not wait for the lease to end.
  refresh_owner text,
  -- The token that the app refused, until another one is stored: an app that gives it again has not renewed it (App C).
  refused_encrypted bytea,
  -- The numbers of the configuration for which the token is fetched, or was.
  configuration text not null
);
