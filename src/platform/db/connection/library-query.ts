/** The parts of the library's pending query that we use: version 3.4.9 is pinned, and tests detect a change. */
export interface LibraryQuery extends Promise<unknown> {
  /** Sent and unanswered. */
  active: boolean;
  /** The server process that runs it; null before it was sent. */
  state: { readonly pid: number | null } | null;
  /** Passes the query to its pool. */
  handler: (query: LibraryQuery) => unknown;
  canceller: ((query: LibraryQuery) => Promise<unknown>) | null;
  args: readonly unknown[];
  /** What it is sent with, once it is. */
  parameters?: readonly unknown[];
  string?: string;
  signature: string | false;
}

const FIELDS = ['active', 'canceller', 'handler', 'state', 'args', 'signature'];

/** Throws if it is none. */
export function asLibraryQuery(value: unknown): LibraryQuery {
  if (!(value instanceof Promise) || !FIELDS.every((field) => field in value)) {
    throw new Error('the library is not the one that was pinned');
  }
  // It has all that we use.
  return value as LibraryQuery;
}

/** Lets go of all that a query held, when it has ended: the query itself stays in memory for longer. */
export function emptyQuery(query: LibraryQuery): void {
  query.args = [];
  query.parameters = [];
  query.string = '';
  query.signature = '';
}
