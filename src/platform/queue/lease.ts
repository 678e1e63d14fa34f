import type { PendingQuery, Row } from 'postgres';
import type { Sql, Transaction } from '../db/client';

/*
 * What the rows of every queue have in common, in SQL. A key's row has three columns:
 *
 *   lease_until     until then its workflow looks at what waits unprompted: nobody needs to wake it
 *   sweeps          how often the sweep has woken it since its workflow last took the lease
 *   next_sweep_at   when the sweep may wake it again
 *
 * `prefix` is what stands before their names: an alias with its dot, or the name of the second queue of a row.
 */

type Part = PendingQuery<Row[]>;

/**
 * How long a workflow that has looked is trusted to look again: longer than any of its pauses. A step may take longer;
 * a wake meanwhile only makes it look once more.
 */
const LEASE_SECONDS = 90;

/** For `set`: its workflow has the lease, and is sure to look again. */
export function leaseIsTaken(sql: Sql | Transaction, prefix: Part = sql``): Part {
  return sql`${prefix}lease_until = now() + ${LEASE_SECONDS}::int * interval '1 s',
    ${maySweepAtOnce(sql, prefix)}`;
}

/** For `set`: the sweep may wake it at once, and begins to count anew. */
export function maySweepAtOnce(sql: Sql | Transaction, prefix: Part = sql``): Part {
  return sql`${prefix}sweeps = 0, ${prefix}next_sweep_at = now()`;
}

/** Whether its workflow has the lease: what has just been committed is found without a wake. */
export function isLeased(sql: Sql | Transaction, prefix: Part = sql``): Part {
  return sql`coalesce(${prefix}lease_until > clock_timestamp(), false)`;
}

/** What fell due at `at` should have been looked at by now. */
export function isOverdue(sql: Sql, at: Part): Part {
  return sql`${at} < now() - interval '30 s'`;
}

/** Whether the sweep may wake it: nobody has the lease, and it was not woken just now. */
export function maySweep(sql: Sql, prefix: Part = sql``): Part {
  return sql`${prefix}next_sweep_at <= now()
    and (${prefix}lease_until is null or ${prefix}lease_until <= now())`;
}

/** For `set`: the sweep wakes it, and may again after 30 s, then doubling to 1 h while nobody takes the lease. */
export function isSwept(sql: Sql, prefix: Part = sql``): Part {
  return sql`${prefix}sweeps = ${prefix}sweeps + 1, ${prefix}next_sweep_at =
    now() + least(30 * power(2, least(${prefix}sweeps, 7)), 3600) * interval '1 s'`;
}
