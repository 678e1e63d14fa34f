/**
 * Each statement is planned once per connection, to enter every table by an index, in its order, and to join row by row.
 * Planning at every execution would cost more than executing. A stored plan must suit a table of a million rows even if
 * it is made when the table has fifty, or none. A bitmap has no order, so it reads past a limit, and it leaves the
 * entries of rows that are gone in the index, for the next read to pass over. Without `jit: off`, a statement without a usable index would look expensive enough
 * to be compiled.
 */
export const KEYED_PLANS = {
  plan_cache_mode: 'force_generic_plan',
  enable_seqscan: 'off',
  enable_bitmapscan: 'off',
  enable_hashjoin: 'off',
  enable_mergejoin: 'off',
  jit: 'off',
} as const;

/** A process that stops during a transaction must not hold its locks forever. */
export const IDLE_IN_TRANSACTION_MS = 60_000;

/** Of one statement, ms. */
export const STATEMENT_TIMEOUT_MS = 15_000;

/**
 * The settings that a session of a transaction pooler needs: a client cannot set them, because it never knows which
 * session it gets. PgBouncer runs this as its `connect_query`.
 */
export const POOLER_CONNECT_QUERY = Object.entries({
  ...KEYED_PLANS,
  statement_timeout: STATEMENT_TIMEOUT_MS,
  idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
})
  .map(([name, value]) => `set ${name} = ${value}`)
  .join('; ');

const WANTED = Object.entries(KEYED_PLANS).map(([name, value]) => `('${name}', '${value}')`);

/**
 * One row, `missing`: the names of the settings that the session lacks, separated by commas; empty if it has all. For
 * the timeouts, any value but 0 (none) is accepted.
 */
export const MISSING_SETTINGS_QUERY = `
  select coalesce(string_agg(name, ', ' order by name), '') as missing
  from pg_settings left join (values ${WANTED.join(', ')}) as wanted (name, value) using (name)
  where setting <> value
    or (name in ('statement_timeout', 'idle_in_transaction_session_timeout') and setting = '0')`;
