/**
 * Each statement is planned once on a connection, to enter every table by an index and to join row by row. Planned at
 * every execution it would cost more than it does itself; and a plan that is kept must suit a table of a million rows
 * even when it is made for one of fifty. Without `jit: off` a statement that has no index to use would look expensive
 * enough to be compiled.
 */
export const KEYED_PLANS = {
  plan_cache_mode: 'force_generic_plan',
  enable_seqscan: 'off',
  enable_hashjoin: 'off',
  enable_mergejoin: 'off',
  jit: 'off',
} as const;

/** A process that stops in the middle of a transaction must not hold its locks for ever. */
export const IDLE_IN_TRANSACTION_MS = 60_000;

/** Of one statement, ms. */
export const STATEMENT_TIMEOUT_MS = 15_000;

/**
 * What each session has to have that a transaction pooler opens: a client of one cannot ask for it, as it never knows
 * which session it gets. PgBouncer runs it as its `connect_query`.
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
 * One row, `missing`: names of those settings that the session does not have, with commas; empty when all is well. Of
 * the timeouts any value will do but 0, which is none.
 */
export const MISSING_SETTINGS_QUERY = `
  select coalesce(string_agg(name, ', ' order by name), '') as missing
  from pg_settings left join (values ${WANTED.join(', ')}) as wanted (name, value) using (name)
  where setting <> value
    or (name in ('statement_timeout', 'idle_in_transaction_session_timeout') and setting = '0')`;
