import { closeHoles } from './close-holes';
import { withDeadline } from './statement-deadline';

export interface StatementGuard {
  /** Milliseconds; 0 for no limit. */
  readonly timeoutMs: number;
  /** Waits until a connection is free; resolves with what gives it back. */
  readonly acquire: () => Promise<() => void>;
  /** The connection answers nobody any more, not even a cancel request. */
  readonly onDeadConnection: () => void;
}

/** The parts of the library's pending query that the guard needs: 3.4.9 is pinned, and the tests notice a change. */
interface LibraryQuery extends Promise<unknown> {
  /** Sent and unanswered. */
  active: boolean;
  canceller: ((query: LibraryQuery) => Promise<unknown>) | null;
}

function isLibraryQuery(value: unknown): value is LibraryQuery {
  return value instanceof Promise && 'active' in value && 'canceller' in value;
}

/**
 * Puts line, deadline and repaired result around a pending query, from its first `await` on; anything else (an
 * identifier, a row for an insert) passes untouched. The object itself stays, since it may turn out to be a fragment
 * of another query. `cursor` and `forEach` start by themselves and are not covered.
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
  const giveBack = await guard.acquire();
  const answer = new Promise<unknown>((resolve, reject) => void start(resolve, reject));
  answer.then(giveBack, giveBack);
  const result = await withDeadline(answer, guard.timeoutMs, {
    cancel: () => cancel(query),
    onDead: guard.onDeadConnection,
  });
  closeHoles(result);
  return result;
}

/**
 * Only what is on the wire can be cancelled. Not by `query.cancel()`: when the cancel request finds no server, that
 * leaves a rejection which nobody can catch, and the process dies.
 */
function cancel(query: LibraryQuery): void {
  if (query.active) query.canceller?.(query).catch(() => {});
}
