/** The code of a system error. By shape: under jest, Node's own errors are no instances of the `Error` seen here. */
export function errorCode(error: unknown): unknown {
  return typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
}
