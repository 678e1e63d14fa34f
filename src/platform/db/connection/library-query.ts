/** The parts of the library's pending query that we use: version 3.4.9 is pinned, and tests detect a change. */
export interface LibraryQuery extends Promise<unknown> {
  /** Sent and unanswered. */
  active: boolean;
  /** The server process that runs it; null before it was sent. */
  state: { readonly pid: number | null } | null;
  /** Passes the query to its pool. */
  handler: (query: LibraryQuery) => unknown;
  canceller: ((query: LibraryQuery) => Promise<unknown>) | null;
}

export function isLibraryQuery(value: unknown): value is LibraryQuery {
  return (
    value instanceof Promise &&
    'active' in value &&
    'canceller' in value &&
    'handler' in value &&
    'state' in value
  );
}
