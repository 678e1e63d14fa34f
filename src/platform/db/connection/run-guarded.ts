import { ConnectionLostError } from './connection-errors';
import { emptyQuery, type LibraryQuery } from './library-query';
import type { HeldConnection } from './pool';
import { asPostgresAway } from './postgres-away-error';
import { withDeadline } from './statement-deadline';
import { untilLost } from './until-lost';

export interface StatementGuard {
  /** Milliseconds; 0 for no limit. */
  readonly timeoutMs: number;
  /** Waits until a connection is free. */
  readonly take: () => Promise<HeldConnection>;
}

/**
 * Makes a query and runs it, with the queue, the deadline, the repaired result and clear errors that all statements
 * have.
 */
export async function runGuarded(
  make: () => LibraryQuery,
  guard: StatementGuard,
): Promise<unknown> {
  const query = make();
  const { connection, giveBack } = await guard.take().catch((error: unknown) => {
    throw asPostgresAway(error);
  });
  try {
    if (connection.isLost()) throw new ConnectionLostError();
    connection.adopt(query);
    const answer = untilLost(connection, () => query);
    const settle = (): void => {
      connection.settle();
      emptyQuery(query);
    };
    // An abandoned statement holds its connection until it ends there too.
    answer.then(settle, settle);
    answer.then(() => giveBack(), giveBack);
    const result = await withDeadline(answer, guard.timeoutMs, {
      cancel: () => connection.cancel(query),
      onDead: connection.destroy,
    });
    closeHoles(result);
    return result;
  } catch (error) {
    if (connection.isLost()) giveBack(error);
    throw asPostgresAway(error);
  }
}

/**
 * Closes the gaps in a result, in place. A statement that fails after its first rows leaves the library's row counter
 * where it was, so the next result on that connection starts with that many holes; no row is missing.
 */
function closeHoles(result: unknown): void {
  if (!Array.isArray(result)) return;
  if (!('count' in result)) {
    for (const each of result) closeHoles(each); // several statements in one simple query
    return;
  }
  if (result.length === result.count) return;
  let length = 0;
  // forEach skips holes, and a row never moves to the right.
  result.forEach((row: unknown) => (result[length++] = row));
  result.length = length;
}
