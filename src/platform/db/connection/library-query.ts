/** The parts of the library's pending query that we need: 3.4.9 is pinned, and the tests notice a change. */
export interface LibraryQuery extends Promise<unknown> {
  /** Sent and unanswered. */
  active: boolean;
  /** The server process that has it; null before it was sent. */
  state: { readonly pid: number | null } | null;
  /** Hands the query to the pool that it belongs to. */
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
