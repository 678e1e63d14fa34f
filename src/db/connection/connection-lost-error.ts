/** The connection is gone, or is not used any more; it carries the library's code for that. */
export class ConnectionLostError extends Error {
  readonly code = 'CONNECTION_CLOSED';

  constructor() {
    super('the connection to the database was lost');
    this.name = 'ConnectionLostError';
  }
}
