import { ConnectionLostError } from './connection-errors';
import { isLibraryQuery, type LibraryQuery } from './library-query';
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
 * Adds the queue, the deadline, the repaired result and clear errors to a pending query, from its first `await` on.
 * Anything else (an identifier, a row for an insert) is unchanged. The object stays the same, because it may become a
 * fragment of another query. `cursor` and `forEach` start by themselves, and find no server.
 */
export function guardQuery<T>(query: T, guard: StatementGuard): T {
  if (!isLibraryQuery(query)) return query;
  const start = query.then.bind(query);
  let outcome: Promise<unknown> | undefined;
  const run = () => (outcome ??= runGuarded(query, start, guard));
  const guarded: Pick<Promise<unknown>, 'then' | 'catch' | 'finally'> = {
    // oxlint-disable-next-line unicorn/no-thenable -- a pending query is a thenable; this replaces how it starts
    then: (onValue, onError) => run().then(onValue, onError),
    catch: (onError) => run().catch(onError),
    finally: (onEnd) => run().finally(onEnd),
  };
  return Object.assign(query, guarded);
}

async function runGuarded(
  query: LibraryQuery,
  start: LibraryQuery['then'],
  guard: StatementGuard,
): Promise<unknown> {
  const { connection, giveBack } = await guard.take().catch((error: unknown) => {
    throw asPostgresAway(error);
  });
  try {
    if (connection.isLost()) throw new ConnectionLostError();
    connection.adopt(query);
    const answer = untilLost(connection, async () => start((value) => value));
    // An abandoned statement holds its connection until it ends there too.
    answer.then(connection.settle, connection.settle);
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
