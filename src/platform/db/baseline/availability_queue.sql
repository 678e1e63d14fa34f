-- The changes of one store in one integration, with the workflow availability/<store>/<integration>, which tells the
-- app what is off sale.
create table availability_queue (
  store_id bigint not null,
  integration_id bigint not null,
  -- Raised by each claim: what an older one still wants to write changes nothing.
  claim_no bigint not null default 0,
  -- Until then the workflow looks at its rows again without being told.
  lease_until timestamptz,
  sweeps integer not null default 0,
  next_sweep_at timestamptz not null default now(),
  -- The next try of an app that failed; `retry_is_asked`: the app has asked for it, and a newer change waits as well.
  retry_at timestamptz,
  retry_is_asked boolean not null default false,
  rounds integer not null default 0,
  -- Calls are spaced by the app's rate: from then on the next one is due.
  next_call_at timestamptz not null default 'epoch',
  -- The last menu behind which the app was told again what is off.
  told_upload_id text,
  -- When a queue with waiting changes was last found without an integration that can be called. What is kept for such a
  -- time, such as the end of an `until`, is not given up for its age at the first call that fails afterwards.
  unusable_at timestamptz,
  -- Why its changes wait, which share its calls: as those of `menu_upload`.
  wait_reason text,
  -- What the app said, cleaned.
  wait_words text,
  waiting_since timestamptz,
  failed_tries integer not null default 0,
  next_try_at timestamptz,
  primary key (store_id, integration_id),
  foreign key (store_id, integration_id) references store_integration
);
