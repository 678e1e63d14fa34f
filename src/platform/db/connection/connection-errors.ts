/** The connection is lost or no longer used; carries the library's code for that. */
export class ConnectionLostError extends Error {
  readonly code = 'CONNECTION_CLOSED';

  constructor() {
    super('the connection to the database was lost');
    this.name = 'ConnectionLostError';
  }
}

/**
 * A statement that was aborted here rather than by the server; carries the server's code, so one check covers both.
 */
export class StatementTimeoutError extends Error {
  readonly code = '57014';

  constructor(waitedMs: number, phase: string) {
    super(`the database did not answer within ${waitedMs} ms (${phase})`);
    this.name = 'StatementTimeoutError';
  }
}
