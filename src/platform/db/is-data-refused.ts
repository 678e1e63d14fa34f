/**
 * Whether Postgres refused the data of a statement, so that nothing was written and a repeat would be refused again:
 * data exceptions (22), constraints (23), limits (54), and errors raised by triggers (P0). After any other error it
 * is unknown what was written, or a repeat may succeed.
 */
export function isDataRefused(error: unknown): boolean {
  return /^(?:22|23|54|P0)/.test(sqlState(error) ?? '');
}

/** The five characters by which Postgres names an error; null for any other error. */
export function sqlState(error: unknown): string | null {
  const code = error instanceof Error && 'code' in error ? error.code : null;
  return typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) ? code : null;
}

export const UNIQUE_VIOLATION = '23505';
