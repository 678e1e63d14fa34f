import type { AppCredential } from '../app-client';

/** The app's own number of a store, which only its credential has; undefined: it has none. */
export function rappiIdOf(store: AppCredential['store']): number | undefined {
  const id = store['rappi_store_id'];
  return id !== undefined && /^\d{1,15}$/.test(id) ? Number(id) : undefined;
}

export const NO_RAPPI_ID = 'The store credential has no rappi_store_id.';

/** The outcome of a call that needs the number. */
export const WITHOUT_RAPPI_ID = { kind: 'rejected', reasons: [NO_RAPPI_ID] } as const;
