/** Postgres cannot do anything for now, whatever the statement; the same statement may succeed later. */
export class PostgresAwayError extends Error {
  override readonly name = 'PostgresAwayError';
  /** The library's code (`CONNECTION_CLOSED`), the system's (`ECONNREFUSED`), or a SQLSTATE. */
  readonly code: string;

  constructor(cause: CodedError) {
    super(cause.message, { cause });
    this.code = cause.code;
  }
}

/**
 * SQLSTATEs that say nothing about the statement: 08 connection, 53 out of resources (too many connections, disk,
 * memory), 57P0x shut down, crashed, starting or dropped, 57014 past its time, 58 the system's own errors, 25006
 * read-only (a standby, or a primary that was fenced off), 25P03 a transaction that was idle for too long, 40P01 and
 * 40001 two that were in each other's way: this one was undone.
 */
const AWAY_STATES = /^(?:08...|53...|57P0.|57014|58...|25006|25P03|40P01|40001)$/;
/** The library's names for a lost connection, and the system's errors of sockets and name servers. */
const AWAY_CODES = /^(?:CONNECTION_\w+|CONNECT_TIMEOUT|E[A-Z]+|EAI_\w+)$/;

/** Turns the error into a `PostgresAwayError` if it is one; any other stays as it is. */
export function asPostgresAway(error: unknown): unknown {
  if (error instanceof PostgresAwayError || !hasCode(error)) return error;
  const isAway = isFromServer(error) ? AWAY_STATES.test(error.code) : isOurOwn(error.code);
  return isAway ? new PostgresAwayError(error) : error;
}

/** Whether nothing answers at the address of Postgres, or the connection to it broke. */
export function isUnreachable(error: unknown): error is PostgresAwayError {
  return error instanceof PostgresAwayError && AWAY_CODES.test(error.code);
}

/** What it means, and what to do about it. */
export const REFUSED_BY_POOLER =
  'a transaction pooler refuses the settings of a session (08P01): ' +
  'DATABASE_URL may lead to one if DATABASE_DIRECT_URL leads past it, to Postgres itself';

/** Whether a transaction pooler refused to begin a session with our settings, which it cannot keep. */
export function isRefusedByPooler(error: unknown): error is PostgresAwayError {
  if (!(error instanceof PostgresAwayError)) return false;
  return error.code === '08P01' && /startup parameter/i.test(error.message);
}

/** Whether a connection that answered with this error is unusable. */
export function endsConnection(error: unknown): boolean {
  if (error instanceof PostgresAwayError) return endsConnection(error.cause);
  if (!hasCode(error)) return false;
  if (isFromServer(error)) {
    return error.severity === 'FATAL' || error.severity === 'PANIC' || isReadOnly(error);
  }
  return AWAY_CODES.test(error.code);
}

/** Whether the server takes no writes any more: it may no longer be the one to which the address leads. */
export function isReadOnly(error: unknown): boolean {
  if (error instanceof PostgresAwayError) return isReadOnly(error.cause);
  return hasCode(error) && isFromServer(error) && error.code === '25006';
}

function isOurOwn(code: string): boolean {
  return AWAY_CODES.test(code) || AWAY_STATES.test(code);
}

interface CodedError {
  readonly code: string;
  readonly message: string;
}

/** Checked by its shape, because a system error may come from another realm. */
function hasCode(error: unknown): error is CodedError {
  return (
    typeof error === 'object' &&
    error !== null &&
    'code' in error &&
    'message' in error &&
    typeof error.code === 'string' &&
    typeof error.message === 'string'
  );
}

function isFromServer(error: CodedError): error is CodedError & { readonly severity: unknown } {
  return 'severity' in error;
}
