/** A statement that was given up here, not by the server; it carries the server's code, so one check covers both. */
export class StatementTimeoutError extends Error {
  readonly code = '57014';

  constructor(waitedMs: number, phase: string) {
    super(`the database did not answer within ${waitedMs} ms (${phase})`);
    this.name = 'StatementTimeoutError';
  }
}
