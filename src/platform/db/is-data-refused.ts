/**
 * Whether Postgres refused what a statement was to write, so that nothing of it was written and the same again would be
 * refused again: data exceptions (22), constraints (23), limits (54), and what a trigger raises (P0).
 * After anything else nobody knows what was written, or the next try may succeed.
 */
export function isDataRefused(error: unknown): boolean {
  return /^(?:22|23|54|P0)/.test(sqlState(error) ?? '');
}

/** The five characters by which Postgres names an error; null for an error that is not from there. */
export function sqlState(error: unknown): string | null {
  const code = error instanceof Error && 'code' in error ? error.code : null;
  return typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) ? code : null;
}

export const UNIQUE_VIOLATION = '23505';
